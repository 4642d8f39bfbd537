"""The workbench in a browser: Django apps whose views call the library.

settings, urls, wsgi   the Django project
home                   the private folder SFUMATO_HOME and what lies where in it
accounts               users, invitations, tokens, the audit trail; who may see what
jobs                   long work: a table, workers, a process of its own for each job
workbench              projects, datasets, configuration, queries, runs, releases
interface              templates, style, scripts, forms made from declared parameters
serving                `sfumato serve`, `worker`, `backup`, `restore`
"""
