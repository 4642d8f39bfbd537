"""Forms without the web: questions, what may be answered, which questions are asked, and changes of a form."""
