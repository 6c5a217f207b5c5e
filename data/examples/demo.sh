#!/bin/sh
# The tour that `make demo` gives: the sentences and their annotation are our own.
set -e
cd "$(dirname "$0")"

OUT=$(mktemp -d)
trap 'rm -rf "$OUT"' EXIT

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

show ists chunk --types sentences.txt
show ists align sent1.chunk.txt sent2.chunk.txt -o "$OUT/aligned.wa"
show ists check --guidelines --stats "$OUT/aligned.wa"
printf '\n$ sed -n "/<alignment>/,/<.alignment>/p" aligned.wa\n'
sed -n '/<alignment>/,/<.alignment>/p' "$OUT/aligned.wa" | grep '<==>'
show ists score gold.wa "$OUT/aligned.wa"
show ists score gold.wa system.wa "$OUT/aligned.wa" --compare --bootstrap 1000
show ists score gold.wa "$OUT/aligned.wa" --by-label --confusion
show ists explain gold.wa --pair 2
printf '\n$ printf "…" | ists align - --from tsv --format jsonl --why\n'
printf 'Shares climb after bank report\tShares tumble after bank report\n' |
    ists align - --from tsv --format jsonl --why
printf '\nTo compare two sentences of your own on a page, run: ists serve --open\n'
