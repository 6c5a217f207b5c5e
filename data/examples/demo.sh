#!/bin/sh
# The tour that `make demo` gives: the sentences and their annotation are our own.
set -e
cd "$(dirname "$0")"

show() {
    printf '\n$ %s\n' "$*"
    "$@"
}

show ists chunk --types sentences.txt
show ists check gold.wa system.wa --guidelines --stats
show ists score gold.wa system.wa
show ists score gold.wa system.wa --match lenient --bootstrap 1000
show ists score gold.wa system.wa --by-label --confusion
