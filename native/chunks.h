/* The properties of a chunk that the rows of features need; see `ists/labeler/compiled_rows.py`. */

#ifndef ISTS_CHUNKS_H
#define ISTS_CHUNKS_H

#include "kernels.h"

enum { OWN = 45, MEANING = 13 }; /* grammar and broad class of the head; meaning */

/* Properties that are decided in Python for a pair of chunks, and others that are 0 or 1. */
enum {
    QUANTITIES = 1, DATES = 2, ABBREVIATION = 4, PREPOSITIONS = 8, AMOUNTS = 16, NAMES = 32,
    CONVERSES = 64, PERSONS = 128,
    NEGATED = 256, DENIED = 512, IS_TIME = 1024, WORDED = 2048, TRAITS = 4096
};

/* Different texts with their hashes. */
typedef struct {
    PyObject *texts; /* a tuple */
    Py_hash_t *hash;
    Py_ssize_t count;
} TextSet;

enum { NO_PART, NOUN, VERB, ADJECTIVE, ADVERB };

/* A content word. */
typedef struct {
    PyObject *word; /* borrowed from the tuple of content words */
    PyObject *text; /* shortened as the caches expect it */
    PyObject *key;  /* borrowed from the tuple of keys */
    Py_ssize_t lemma; /* its index in the set of lemmas */
    uint8_t part, is_number, is_place, is_name, has_capital;
} Content;

typedef struct {
    PyObject_HEAD
    PyObject *contents, *keys, *head_word; /* None without a head */
    PyObject *text, *lowers, *texts, *letters, *trigrams;
    PyObject *preposition, *preposition_class, *kind, *determiner, *gender, *limit, *position,
        *field;
    TextSet lemmas, tokens, functions;
    Content *content;
    Py_ssize_t count, words, head; /* content words, words, index of the head or -1 */
    Py_ssize_t letter_words, capital_words;
    double things, quantity, opinion, quantifier, doubt;
    int traits, certainty;
    uint64_t rows, roots, beginnings; /* one bit for each clue of an opposition */
    float own[OWN], meaning[MEANING];
} Chunk;

int is_chunk(PyObject *object);
int is_same_text(PyObject *a, Py_hash_t a_hash, PyObject *b, Py_hash_t b_hash);
Py_ssize_t count_common(const TextSet *a, const TextSet *b);

/* The Jaccard index of the trigrams of two texts, or -1 and an exception. */
double overlap_of_trigrams(PyObject *one, PyObject *other);

#endif
