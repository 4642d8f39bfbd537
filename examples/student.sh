#!/bin/sh
# A student compares algorithms and policies for sets of items, on the command line.
# Run it in an empty directory: sh student.sh
set -eu
here=$(dirname "$0")

sfumato methods --kind transactions
sfumato generate baskets --records 800 --items 60 --mean-size 5 --patterns 80 --seed 1 --out baskets.txt
sfumato hierarchy derive baskets.txt --kind transactions --alphabet 0123456789i --length 3 --out items.csv
sfumato workload generate baskets.txt --kind transactions --queries 200 --seed 1 --out workload.json

cp "$here/comparison.toml" .
sfumato compare comparison.toml --keep-releases --out comparison

sfumato advise baskets.txt --kind transactions --taxonomy items.csv --promise km:k=5,m=2 --care are:workload=workload.json \
    --seconds 60
