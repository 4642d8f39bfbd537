#!/bin/sh
# The data officer of a hospital publishes patients with their diagnoses, on the command line.
# Run it in an empty directory: sh data_officer.sh
set -eu
known=age,sex,education,marital  # what an attacker may know of a patient

# 1. A generated hospital; a file of your own goes the same way.
sfumato generate mixed --people 1000 --codes 60 --seed 1 --out patients.csv

# 2. What is in the file, and how risky is it as it is?
sfumato describe patients.csv --items diagnoses --out describe.html
sfumato audit patients.csv --items diagnoses --quasi-identifiers "$known" --out risk.html

# 3. A hierarchy of the diagnoses: A1 lies below A*.  It lists the codes that occur, so it is private.
sfumato hierarchy derive patients.csv diagnoses --items diagnoses --rule prefix --out hierarchies
sfumato hierarchy check hierarchies/diagnoses.csv

# 4. Whoever knows these columns and two diagnoses finds at least five patients.
#    The first attempt warns that next to nothing is left of the diagnoses; the second follows the advice.
sfumato anonymize rum-bound patients.csv --items diagnoses --quasi-identifiers "$known" --hierarchies hierarchies \
    --k 5 --m 2 --delta 0.7 --seed 1 --out first
sfumato anonymize rum-bound patients.csv --items diagnoses --quasi-identifiers "$known" --hierarchies hierarchies \
    --transaction coat --k 5 --m 2 --delta 0.7 --seed 1 --out published --report private.json

# 5. Check it, attack it, and write the document for the board.
sfumato verify published --original patients.csv --quasi-identifiers "$known" --report private.json
sfumato audit patients.csv --items diagnoses --quasi-identifiers "$known" --against published --report private.json \
    --out attacks.html
sfumato report published --out board_public.html
sfumato report published --original patients.csv --quasi-identifiers "$known" --report private.json --out board.pdf
