"""The same promises on Apache Spark, for data that one machine cannot hold; needs the extra `spark`."""

from sfumato.lazy_names import loaded_on_use

__all__ = [
    "Records",
    "Rows",
    "SparkRelease",
    "TableRows",
    "anonymize",
    "audit",
    "describe",
    "evaluate",
    "start",
    "verify",
    "verify_directory",
]

__getattr__ = loaded_on_use(
    __name__,
    {
        "anonymizing": ["anonymize"],
        "audits.auditing": ["audit"],
        "describing": ["describe"],
        "measures.evaluating": ["evaluate"],
        "published": ["verify_directory"],
        "records": ["Records"],
        "release": ["SparkRelease"],
        "session": ["start"],
        "table_methods": ["TableRows"],
        "tables": ["Rows"],
        "verifying": ["verify"],
    },
)
