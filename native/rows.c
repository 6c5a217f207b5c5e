/* Rows of features of chunk pairs: the counterpart of `ists/labeler/features.py`, `comparisons.py`,
   `signals.py`, `linking.py` and `lone.py`. What few pairs of chunks have, such as two amounts, is
   left to Python: the result names these rows. */

#include "chunks.h"
#include <math.h>
#include <string.h>

/* As `MatchKind`. */
enum { SAME_LEMMA = 1, SYNONYM, DERIVED, NARROWER, BROADER, OPPOSITE, CONTRAST, NEAR = 10, NONE,
       KINDS };

enum { ONE_WAY = 47 + OWN, MUTUAL = 49, LEXICAL = 2 * ONE_WAY + MUTUAL, NETWORK = 10,
       WHOLE = 2 * (2 + MEANING) + 26, LINK = 24, WIDTH = LEXICAL + NETWORK + WHOLE + LINK };

/* Grammar of a chunk, as `GRAMMAR`. */
enum { VERB_CHAIN = 1, INDEFINITE = 4, DEFINITE = 5, BE = 8, HAVE = 9, PLURAL = 18, INEXACT = 31 };

enum { RELATIONS = 6, SCORES = 5, TABLES = 3 };

#define WEAK 0.45          /* as `_WEAK` in `views.py` */
#define OPPOSED_FROM 0.55  /* as in `comparisons.py` */
#define LEAST_DOUBT 0.4    /* as in `ists/lexicon/modality.py` */
#define CANDIDATE_FROM 0.08 /* these three as in `linking.py` */
#define LINKED_FROM 0.4
#define SURE_FROM 0.8

/* The match of two content words, as seen from the first. */
typedef struct {
    int kind;
    double strength, opposite, contrast, narrower, broader;
} Match;

/* The closest word of the other chunk to a content word. */
typedef struct {
    int kind, is_extra;
    double strength;
    PyObject *partner;
} Counterpart;

/* A sentence. The lemmas of both sentences have numbers from 0. */
typedef struct {
    Chunk **chunk;
    Py_ssize_t count;
    int **lemma;  /* for each chunk, the numbers of its lemmas */
    int *holders; /* for each lemma, how many chunks have it */
    double capitalised;
    Py_ssize_t tokens, denied;
    /* among the network's links */
    double *best;
    Py_ssize_t loose, worded;
    double sure, left_alone;
    const float *alic;
} Side;

typedef struct {
    Side side[2];
    int lemmas;
    const float *link, *relation, *score;
    double *overlap;              /* of the lemmas of each two chunks */
    double *opposed;              /* known opposition of each two chunks */
    float *expected;              /* scores */
    double *rows, *columns;       /* strongest links of each chunk, for three tables */
    double sums[2 * TABLES];
    double overlap_of_lemmas, overlap_of_chunks;
    Match *match[2];              /* of the words of the current two chunks, from both sides */
    Counterpart *found[2];
    PyObject *tie, *no_match, *kinship, *known, *opposition;
    void *memory;
} Pair;

/* ---- words ---- */

static PyObject *kind_name, *strength_name, *opposite_name, *contrast_name, *narrower_name,
    *broader_name;

static int
read_double(PyObject *object, PyObject *name, double *value)
{
    PyObject *number = PyObject_GetAttr(object, name);
    if (number == NULL)
        return 0;
    *value = PyFloat_AsDouble(number);
    Py_DECREF(number);
    return *value != -1.0 || !PyErr_Occurred();
}

static Match
mirrored(Match match)
{
    double narrower = match.narrower;
    match.narrower = match.broader;
    match.broader = narrower;
    if (match.kind == NARROWER || match.kind == BROADER)
        match.kind = NARROWER + BROADER - match.kind;
    return match;
}

/* The match of two words, or 0 and an exception. Each two are looked up in one order only. */
static int
match_words(const Pair *p, const Content *own, const Content *theirs, Match *match)
{
    memset(match, 0, sizeof(*match));
    match->kind = NONE;
    if (are_unrelated(own->key, theirs->key))
        return 1;
    int turned = PyUnicode_Compare(theirs->text, own->text) < 0;
    PyObject *words[] = {turned ? theirs->text : own->text, turned ? own->text : theirs->text};
    PyObject *tie = PyObject_Vectorcall(p->tie, words, 2, NULL);
    if (tie == NULL)
        return 0;
    int succeeded = 1;
    if (tie != p->no_match) {
        PyObject *kind = PyObject_GetAttr(tie, kind_name);
        long number = kind == NULL ? -1 : PyLong_AsLong(kind);
        Py_XDECREF(kind);
        succeeded = !PyErr_Occurred() && read_double(tie, strength_name, &match->strength) &&
                    read_double(tie, opposite_name, &match->opposite) &&
                    read_double(tie, contrast_name, &match->contrast) &&
                    read_double(tie, narrower_name, &match->narrower) &&
                    read_double(tie, broader_name, &match->broader);
        if (succeeded && (number < 0 || number >= KINDS)) {
            PyErr_SetString(PyExc_ValueError, "unknown kind of match");
            succeeded = 0;
        }
        match->kind = (int)number;
    }
    Py_DECREF(tie);
    if (turned)
        *match = mirrored(*match);
    return succeeded;
}

/* The number that a function returns for two objects, or -1 and an exception. */
static double
call(PyObject *function, PyObject *one, PyObject *other)
{
    PyObject *both[] = {one, other};
    PyObject *result = PyObject_Vectorcall(function, both, 2, NULL);
    double value = result == NULL ? -1.0 : PyFloat_AsDouble(result);
    Py_XDECREF(result);
    return value;
}

/* How specific the nearest common ancestor of two words in WordNet is, or -1 and an exception. */
static double
kinship_of(const Pair *p, const Content *own, const Content *theirs)
{
    PyObject *one = profile_of_key(own->key), *other = profile_of_key(theirs->key);
    if (one != NULL && other != NULL)
        return shared_information(one, other);
    return call(p->kinship, own->text, theirs->text);
}

static int
match_chunks(Pair *p, const Chunk *one, const Chunk *two)
{
    for (Py_ssize_t a = 0; a < one->count; a++) {
        for (Py_ssize_t b = 0; b < two->count; b++) {
            Match *match = &p->match[0][a * two->count + b];
            if (!match_words(p, &one->content[a], &two->content[b], match))
                return 0;
            p->match[1][b * one->count + a] = mirrored(*match);
        }
    }
    for (int side = 0; side < 2; side++) {
        const Chunk *own = side ? two : one, *theirs = side ? one : two;
        for (Py_ssize_t a = 0; a < own->count; a++) {
            Counterpart best = {.kind = NONE};
            for (Py_ssize_t b = 0; b < theirs->count; b++) {
                const Match *match = &p->match[side][a * theirs->count + b];
                if (match->strength > best.strength) {
                    best.kind = match->kind;
                    best.strength = match->strength;
                    best.partner = theirs->content[b].word;
                }
            }
            best.is_extra = best.kind == NONE || (best.kind == NEAR && best.strength < WEAK);
            p->found[side][a] = best;
        }
    }
    return 1;
}

/* ---- lemmas ---- */

static int
has_lemma(const Side *side, Py_ssize_t chunk, int lemma)
{
    for (Py_ssize_t k = 0; k < side->chunk[chunk]->lemmas.count; k++)
        if (side->lemma[chunk][k] == lemma)
            return 1;
    return 0;
}

/* Whether another chunk of the sentence has a lemma. */
static int
is_outside(const Side *side, Py_ssize_t chunk, int lemma)
{
    return side->holders[lemma] > has_lemma(side, chunk, lemma);
}

static double
share(Py_ssize_t common, Py_ssize_t one, Py_ssize_t other)
{
    return common ? (double)common / (double)(one + other - common) : 0.0;
}

/* The Jaccard index of the lemmas of both sentences, without one chunk each unless it is -1. */
static double
overlap_without(const Pair *p, Py_ssize_t i, Py_ssize_t j)
{
    Py_ssize_t common = 0, one = 0, two = 0;
    for (int lemma = 0; lemma < p->lemmas; lemma++) {
        int here = i < 0 ? p->side[0].holders[lemma] > 0 : is_outside(&p->side[0], i, lemma);
        int there = j < 0 ? p->side[1].holders[lemma] > 0 : is_outside(&p->side[1], j, lemma);
        one += here;
        two += there;
        common += here && there;
    }
    return share(common, one, two);
}

static int
are_same_lemmas(const Side *one, Py_ssize_t i, const Side *two, Py_ssize_t j)
{
    Py_ssize_t count = one->chunk[i]->lemmas.count, common = 0;
    if (count == 0 || two->chunk[j]->lemmas.count != count)
        return 0;
    for (Py_ssize_t k = 0; k < count; k++)
        common += has_lemma(two, j, one->lemma[i][k]);
    return common == count;
}

/* Whether no earlier chunk of the sentence has the same lemmas. */
static int
is_first_such(const Side *side, Py_ssize_t chunk)
{
    for (Py_ssize_t k = 0; k < chunk; k++)
        if (are_same_lemmas(side, k, side, chunk))
            return 0;
    return side->chunk[chunk]->lemmas.count > 0;
}

static void
compare_sentences(Pair *p)
{
    const Side *one = &p->side[0], *two = &p->side[1];
    Py_ssize_t common = 0, ones = 0, twos = 0;
    for (Py_ssize_t i = 0; i < one->count; i++) {
        for (Py_ssize_t j = 0; j < two->count; j++) {
            Py_ssize_t shared = 0, size = one->chunk[i]->lemmas.count;
            for (Py_ssize_t k = 0; k < size; k++)
                shared += has_lemma(two, j, one->lemma[i][k]);
            p->overlap[i * two->count + j] = share(shared, size, two->chunk[j]->lemmas.count);
        }
        if (!is_first_such(one, i))
            continue;
        ones++;
        for (Py_ssize_t j = 0; j < two->count; j++)
            if (are_same_lemmas(one, i, two, j)) {
                common++;
                break;
            }
    }
    for (Py_ssize_t j = 0; j < two->count; j++)
        twos += is_first_such(two, j);
    p->overlap_of_chunks = share(common, ones, twos);
    p->overlap_of_lemmas = overlap_without(p, -1, -1);
}

/* ---- features of words ---- */

/* Whether a sentence has a word of the same meaning outside a chunk, or -1 and an exception. */
static int
is_said_outside(const Pair *p, const Content *word, int lemma, const Side *other, Py_ssize_t j)
{
    if (is_outside(other, j, lemma))
        return 1;
    for (Py_ssize_t k = 0; k < other->count; k++) {
        const Chunk *chunk = other->chunk[k];
        for (Py_ssize_t b = 0; k != j && b < chunk->count; b++) {
            Match match;
            if (!match_words(p, word, &chunk->content[b], &match))
                return -1;
            if (match.kind <= DERIVED)
                return 1;
        }
    }
    return 0;
}

static int
is_head_among(const Chunk *own, const Counterpart *found)
{
    if (own->head < 0)
        return 0;
    const Content *head = &own->content[own->head];
    for (Py_ssize_t a = 0; a < own->count; a++) {
        const Content *word = &own->content[a];
        if (!found[a].is_extra)
            continue;
        if (word->word == head->word)
            return 1;
        if (PyUnicode_Compare(word->text, head->text))
            continue;
        int equal = PyObject_RichCompareBool(head->word, word->word, Py_EQ);
        if (equal)
            return equal;
    }
    return 0;
}

/* The 12 features of words that the other chunk does not answer; 0 and an exception if it fails. */
static int
put_extras(const Pair *p, int side, Py_ssize_t i, Py_ssize_t j, Py_ssize_t extra, float *out)
{
    const Chunk *own = p->side[side].chunk[i];
    if (!extra)
        return 1;
    Py_ssize_t outside = 0;
    out[0] = (float)extra;
    for (Py_ssize_t a = 0; a < own->count; a++) {
        const Content *word = &own->content[a];
        if (!p->found[side][a].is_extra)
            continue;
        int said = is_said_outside(p, word, p->side[side].lemma[i][word->lemma],
                                   &p->side[1 - side], j);
        if (said < 0)
            return 0;
        outside += said;
        out[1] += word->part == ADJECTIVE;
        out[2] += word->part == NOUN && word->word != own->head_word;
        out[3] += word->part == VERB;
        out[4] += word->part == ADVERB;
        out[5] += word->is_number;
        out[6] += word->is_name;
        out[7] += word->is_place;
        out[8] += word->has_capital;
    }
    int is_head = is_head_among(own, p->found[side]);
    out[9] = (float)is_head;
    out[10] = (float)outside;
    out[11] = (float)(extra - outside);
    return is_head >= 0;
}

static void
put_heads(const Pair *p, int side, const Chunk *own, const Chunk *other, float *out)
{
    const Counterpart *found = p->found[side];
    int article = other->own[INDEFINITE] + other->own[DEFINITE] != 0;
    int auxiliary = other->own[BE] + other->own[HAVE] != 0;
    Py_ssize_t places = 0;
    if (own->head >= 0) {
        const Counterpart *answer = &found[own->head];
        int said = answer->kind <= DERIVED;
        if (other->head >= 0)
            out[0] = (float)p->match[side][own->head * other->count + other->head].narrower;
        out[1] = (float)said;
        out[2] = said && answer->partner != other->head_word;
    }
    out[3] = own->words > other->words ? (float)(own->words - other->words) : 0.0f;
    out[4] = (float)(own->functions.count - count_common(&own->functions, &other->functions));
    out[5] = PyUnicode_GET_LENGTH(own->preposition) && !PyUnicode_GET_LENGTH(other->preposition);
    out[6] = !article && own->own[INDEFINITE] + own->own[DEFINITE] > 0;
    out[7] = !auxiliary && own->own[BE] + own->own[HAVE] > 0;
    out[8] = own->traits & QUANTITIES && other->own[INEXACT] && !own->own[INEXACT];
    out[9] = own->traits & other->traits & QUANTITIES && own->quantity > other->quantity;
    for (Py_ssize_t a = 0; a < own->count; a++)
        places += found[a].kind == NARROWER && own->content[a].is_place;
    out[10] = (float)places;
}

static Py_ssize_t
count_extra(const Chunk *own, const Counterpart *found)
{
    Py_ssize_t extra = 0;
    for (Py_ssize_t a = 0; a < own->count; a++)
        extra += found[a].is_extra;
    return extra;
}

/* The features of one side; 0 and an exception if they fail. */
static int
put_one_way(const Pair *p, int side, Py_ssize_t i, Py_ssize_t j, float *out)
{
    const Side *one = &p->side[side], *two = &p->side[1 - side];
    const Chunk *own = one->chunk[i], *other = two->chunk[j];
    const Counterpart *found = p->found[side];
    Py_ssize_t extra = count_extra(own, found), count = own->count, elsewhere = 0;
    int farthest = 0;
    double shares[KINDS + 1] = {0.0}, rival = 0.0;
    out[0] = (float)own->words;
    out[1] = (float)count;
    out[2] = (float)(((double)i + 0.5) / (double)one->count);
    out[3] = i == one->count - 1;
    out[4] = (float)one->count;
    out[5] = (float)one->capitalised;
    for (Py_ssize_t a = 0; a < count; a++) {
        shares[found[a].kind] += 1;
        shares[KINDS] += found[a].strength;
        farthest = found[a].kind > farthest ? found[a].kind : farthest;
        elsewhere += is_outside(two, j, one->lemma[i][own->content[a].lemma]);
    }
    for (int k = 0; count && k <= KINDS; k++)
        out[6 + k] = (float)(shares[k] / (double)count);
    if (!put_extras(p, side, i, j, extra, out + 19))
        return 0;
    out[31] = extra && !count_extra(other, p->found[1 - side]);
    if (count) {
        out[32] = farthest <= DERIVED;
        out[33] = farthest <= BROADER;
        out[34] = (float)((double)elsewhere / (double)count);
    }
    for (Py_ssize_t k = 0; k < two->count; k++) {
        double overlap = side ? p->overlap[k * one->count + i] : p->overlap[i * two->count + k];
        rival = k != j && overlap > rival ? overlap : rival;
    }
    out[35] = (float)rival;
    put_heads(p, side, own, other, out + 36);
    memcpy(out + 47, own->own, sizeof(own->own));
    return 1;
}

static double
mean_strength(const Counterpart *found, Py_ssize_t count)
{
    double sum = 0.0;
    for (Py_ssize_t a = 0; a < count; a++)
        sum += found[a].strength;
    return count ? sum / (double)count : 0.0;
}

/* Whether two tuples of texts are equal. */
static int
are_equal(PyObject *one, PyObject *other)
{
    Py_ssize_t count = PyTuple_GET_SIZE(one);
    if (PyTuple_GET_SIZE(other) != count)
        return 0;
    for (Py_ssize_t k = 0; k < count; k++)
        if (PyUnicode_Compare(PyTuple_GET_ITEM(one, k), PyTuple_GET_ITEM(other, k)))
            return 0;
    return 1;
}

static int
are_same_texts(PyObject *one, PyObject *other)
{
    return one == other || PyUnicode_Compare(one, other) == 0;
}

/* The 18 features of both chunks' surface, heads and oppositions; 0 and an exception. */
static int
put_together(const Pair *p, Py_ssize_t i, Py_ssize_t j, float *out)
{
    const Chunk *own = p->side[0].chunk[i], *other = p->side[1].chunk[j];
    double strengths[] = {mean_strength(p->found[0], own->count),
                          mean_strength(p->found[1], other->count)};
    double trigrams = overlap_of_trigrams(own->trigrams, other->trigrams), strongest = 0.0;
    Py_ssize_t opposed = 0;
    if (trigrams < 0)
        return 0;
    out[0] = (float)are_same_texts(own->text, other->text);
    out[1] = own->count && are_equal(own->lowers, other->lowers);
    out[2] = (float)are_same_lemmas(&p->side[0], i, &p->side[1], j);
    out[3] = (float)p->overlap[i * p->side[1].count + j];
    out[4] = (float)share(count_common(&own->tokens, &other->tokens), own->tokens.count,
                          other->tokens.count);
    out[5] = (float)trigrams;
    out[6] = (float)((strengths[0] + strengths[1]) / 2);
    out[7] = (float)(strengths[1] < strengths[0] ? strengths[1] : strengths[0]);
    if (own->head >= 0 && other->head >= 0) {
        const Match *match = &p->match[0][own->head * other->count + other->head];
        double kinship = kinship_of(p, &own->content[own->head], &other->content[other->head]);
        if (kinship == -1.0 && PyErr_Occurred())
            return 0;
        out[8] = match->kind <= SAME_LEMMA;
        out[9] = match->kind == SYNONYM;
        out[10] = match->kind == DERIVED;
        out[11] = (float)match->opposite;
        out[12] = (float)match->contrast;
        out[13] = (float)match->strength;
        out[14] = (float)kinship;
        out[15] = PyUnicode_GET_LENGTH(own->field) && are_same_texts(own->field, other->field);
    }
    for (int side = 0; side < 2; side++) {
        const Chunk *chunk = side ? other : own;
        for (Py_ssize_t a = 0; a < chunk->count; a++) {
            const Counterpart *found = &p->found[side][a];
            PyObject *word = chunk->content[a].word;
            if (found->kind != OPPOSITE && found->kind != CONTRAST)
                continue;
            opposed++;
            if (word != own->head_word && word != other->head_word)
                strongest = found->strength > strongest ? found->strength : strongest;
        }
    }
    out[16] = (float)strongest;
    out[17] = (float)opposed;
    return 1;
}

/* The other 31 features of both chunks that need no network. */
static void
put_rest(const Pair *p, Py_ssize_t i, Py_ssize_t j, float *out)
{
    const Side *one = &p->side[0], *two = &p->side[1];
    const Chunk *own = one->chunk[i], *other = two->chunk[j];
    int known = own->things != 0.0 && other->things != 0.0;
    int both = PyUnicode_GET_LENGTH(own->preposition) && PyUnicode_GET_LENGTH(other->preposition);
    int same = both && are_same_texts(own->preposition, other->preposition);
    int last1 = i == one->count - 1, last2 = j == two->count - 1;
    out[0] = count_extra(own, p->found[0]) && count_extra(other, p->found[1]);
    out[7] = known && own->things != other->things;
    out[8] = known && own->things == other->things;
    /* an abbreviation: in Python */
    out[12] = !are_equal(own->texts, other->texts) && PyUnicode_GET_LENGTH(own->letters) &&
              are_same_texts(own->letters, other->letters);
    out[13] = (float)same;
    out[14] = both && are_same_texts(own->preposition_class, other->preposition_class);
    out[15] = both && !same;
    out[17] = own->determiner == other->determiner;
    out[18] = own->kind == other->kind;
    out[19] = (own->traits ^ other->traits) & NEGATED ? 1.0f : 0.0f;
    if (own->head >= 0 && other->head >= 0) {
        int lemma1 = one->lemma[i][own->content[own->head].lemma];
        int lemma2 = two->lemma[j][other->content[other->head].lemma];
        out[20] = lemma1 == lemma2 && own->own[PLURAL] != other->own[PLURAL];
    }
    out[21] = (float)(own->words > other->words ? own->words - other->words
                                                : other->words - own->words);
    out[22] = (float)fabs(((double)i + 0.5) / (double)one->count -
                          ((double)j + 0.5) / (double)two->count);
    out[23] = i == 0 && j == 0;
    out[24] = last1 && last2;
    out[25] = (float)p->overlap_of_lemmas;
    out[26] = (float)p->overlap_of_chunks;
    out[27] = (float)overlap_without(p, i, j);
    out[28] = (float)(one->tokens > two->tokens ? one->tokens - two->tokens
                                                : two->tokens - one->tokens);
    out[29] = i && j ? (float)p->overlap[(i - 1) * two->count + j - 1] : -1.0f;
    out[30] = last1 || last2 ? -1.0f : (float)p->overlap[(i + 1) * two->count + j + 1];
}

/* ---- features of the network's scores ---- */

static void
sum_up_scores(Pair *p)
{
    Py_ssize_t rows = p->side[0].count, columns = p->side[1].count;
    for (Py_ssize_t i = 0; i < rows; i++) {
        for (Py_ssize_t j = 0; j < columns; j++) {
            Py_ssize_t cell = i * columns + j;
            float expected = 0.0f, weighted[TABLES];
            for (int k = 0; k < SCORES; k++)
                expected += p->score[cell * SCORES + k] * (float)(k + 1);
            p->expected[cell] = expected;
            weighted[0] = p->link[cell];
            weighted[1] = p->link[cell] * (expected / 5.0f);
            weighted[2] = p->link[cell] * p->relation[cell * RELATIONS];
            for (int t = 0; t < TABLES; t++) {
                double *best = &p->rows[t * rows + i];
                *best = weighted[t] > *best ? weighted[t] : *best;
                best = &p->columns[t * columns + j];
                *best = weighted[t] > *best ? weighted[t] : *best;
            }
        }
    }
    for (int t = 0; t < TABLES; t++) {
        for (Py_ssize_t i = 0; i < rows; i++)
            p->sums[2 * t] += p->rows[t * rows + i];
        for (Py_ssize_t j = 0; j < columns; j++)
            p->sums[2 * t + 1] += p->columns[t * columns + j];
    }
}

static void
put_scores(const Pair *p, Py_ssize_t i, Py_ssize_t j, float *out)
{
    static const int order[RELATIONS] = {2, 3, 0, 1, 4, 5}; /* SPE1 and SPE2 first */
    Py_ssize_t rows = p->side[0].count, columns = p->side[1].count, others = rows + columns - 2;
    for (int k = 0; k < RELATIONS; k++)
        out[k] = p->relation[(i * columns + j) * RELATIONS + order[k]];
    out[6] = p->expected[i * columns + j];
    for (int t = 0; t < TABLES && others; t++)
        out[7 + t] = (float)((p->sums[2 * t] - p->rows[t * rows + i] + p->sums[2 * t + 1] -
                              p->columns[t * columns + j]) /
                             (double)others);
}

/* ---- features of chunks as wholes ---- */

/* Find which chunks are opposed, or return 0 and an exception. Python decides where a clue, two
   amounts or two limits of time make it possible. */
static int
find_opposed(Pair *p)
{
    for (Py_ssize_t i = 0; i < p->side[0].count; i++) {
        for (Py_ssize_t j = 0; j < p->side[1].count; j++) {
            const Chunk *own = p->side[0].chunk[i], *other = p->side[1].chunk[j];
            int limited = own->limit != Py_None && other->limit != Py_None;
            if (!(own->rows & other->rows || own->roots & other->beginnings ||
                  other->roots & own->beginnings || own->traits & other->traits & AMOUNTS ||
                  (limited && own->traits & other->traits & IS_TIME)))
                continue;
            PyObject *row = PyLong_FromSsize_t(i), *column = PyLong_FromSsize_t(j);
            double strength = row && column ? call(p->known, row, column) : -1.0;
            Py_XDECREF(row);
            Py_XDECREF(column);
            if (strength == -1.0 && PyErr_Occurred())
                return 0;
            p->opposed[i * p->side[1].count + j] = strength;
        }
    }
    return 1;
}

static double
opposed_elsewhere(const Pair *p, Py_ssize_t i, Py_ssize_t j)
{
    double strongest = 0.0;
    for (Py_ssize_t a = 0; a < p->side[0].count; a++)
        for (Py_ssize_t b = 0; b < p->side[1].count; b++) {
            double strength = p->opposed[a * p->side[1].count + b];
            if (a != i && b != j && strength > strongest)
                strongest = strength;
        }
    return strongest;
}

/* Two facts, plans or doubts; the certainty of anything else is -1. */
static int
differ_in_fact(const Chunk *own, const Chunk *other)
{
    return own->certainty >= 0 && other->certainty >= 0 && own->certainty != other->certainty &&
           (own->doubt >= LEAST_DOUBT || other->doubt >= LEAST_DOUBT);
}

static int
have_other(PyObject *one, PyObject *other)
{
    return one != Py_None && other != Py_None && one != other;
}

/* The features of both chunks as wholes; 0 and an exception. */
static int
put_wholes(const Pair *p, Py_ssize_t i, Py_ssize_t j, float *out)
{
    const Chunk *own = p->side[0].chunk[i], *other = p->side[1].chunk[j];
    double opposed = p->opposed[i * p->side[1].count + j], heads = 0.0;
    for (Py_ssize_t k = 0; k < own->count * other->count; k++)
        opposed = p->match[0][k].opposite > opposed ? p->match[0][k].opposite : opposed;
    if (own->head >= 0 && other->head >= 0) {
        double strength = p->match[0][own->head * other->count + other->head].opposite;
        heads = call(p->opposition, PyTuple_GET_ITEM(own->lowers, own->head),
                     PyTuple_GET_ITEM(other->lowers, other->head));
        if (heads == -1.0 && PyErr_Occurred())
            return 0;
        heads = heads > strength ? heads : strength;
    }
    double elsewhere = opposed_elsewhere(p, i, j);
    int denied1 = (own->traits & DENIED) != 0, denied2 = (other->traits & DENIED) != 0;
    int rest = (p->side[0].denied - denied1 + p->side[1].denied - denied2) % 2 == 1;
    int turned = (opposed >= OPPOSED_FROM) != (denied1 != denied2);
    int turned_elsewhere = (elsewhere >= OPPOSED_FROM) != rest;
    int are_times = own->traits & other->traits & IS_TIME;
    int any_time = (own->traits | other->traits) & IS_TIME;
    memcpy(out + 2, own->meaning, sizeof(own->meaning));
    memcpy(out + 4 + MEANING, other->meaning, sizeof(other->meaning));
    out += 4 + 2 * MEANING;
    out[0] = (float)opposed;
    out[1] = (float)heads;
    out[2] = denied1 != denied2;
    out[3] = (float)turned;
    out[4] = (float)elsewhere;
    out[5] = (float)rest;
    out[6] = turned && turned_elsewhere;
    /* converses, amounts and names: in Python */
    if (own->quantifier >= 0 && other->quantifier >= 0)
        out[18] = (float)fabs(own->quantifier - other->quantifier);
    out[19] = (float)differ_in_fact(own, other);
    out[20] = (float)fabs(own->opinion - other->opinion);
    out[21] = own->opinion * other->opinion < 0;
    out[22] = (float)have_other(own->gender, other->gender);
    out[23] = have_other(own->limit, other->limit) && are_times;
    /* persons: in Python */
    out[25] = have_other(own->position, other->position) && !any_time;
    return 1;
}

/* ---- features of links ---- */

static double
link_of(const Pair *p, int side, Py_ssize_t own, Py_ssize_t other)
{
    return side ? p->link[other * p->side[1].count + own] : p->link[own * p->side[1].count + other];
}

static void
sum_up_links(Pair *p, int side)
{
    Side *own = &p->side[side];
    Py_ssize_t sure = 0;
    for (Py_ssize_t k = 0; k < own->count; k++) {
        int is_worded = (own->chunk[k]->traits & WORDED) != 0;
        double best = link_of(p, side, k, 0);
        for (Py_ssize_t n = 1; n < p->side[1 - side].count; n++) {
            double link = link_of(p, side, k, n);
            best = link > best ? link : best;
        }
        own->best[k] = best;
        own->worded += is_worded;
        own->loose += is_worded && best < LINKED_FROM;
        sure += best > SURE_FROM;
        own->left_alone += 1 - best;
    }
    own->sure = (double)sure / (double)own->count;
}

static void
put_link_side(const Pair *p, int side, Py_ssize_t i, Py_ssize_t j, float *out)
{
    const Side *own = &p->side[side];
    Py_ssize_t others = p->side[1 - side].count, choices = 0;
    double rival = 0.0, link = link_of(p, side, i, j);
    int any = 0;
    for (Py_ssize_t k = 0; k < others; k++) {
        double other = link_of(p, side, i, k);
        choices += other >= CANDIDATE_FROM;
        if (k != j && (!any || other > rival)) {
            rival = other;
            any = 1;
        }
    }
    int is_loose = own->chunk[i]->traits & WORDED && own->best[i] < LINKED_FROM;
    Py_ssize_t other_loose = own->loose - is_loose;
    out[0] = (float)rival;
    out[1] = (float)(link - rival);
    out[2] = (float)choices;
    out[3] = (float)other_loose;
    out[4] = (float)((double)other_loose / (double)(own->worded > 1 ? own->worded : 1));
    out[5] = (float)own->sure;
    out[6] = out[7] = -1.0f;
    if (i > 0) {
        out[6] = (float)own->best[i - 1];
        out[8] += own->best[i - 1] < LINKED_FROM;
    }
    if (i + 1 < own->count) {
        out[7] = (float)own->best[i + 1];
        out[8] += own->best[i + 1] < LINKED_FROM;
    }
    out[9] = own->alic[i];
}

static void
put_link(const Pair *p, Py_ssize_t i, Py_ssize_t j, float *out)
{
    put_link_side(p, 0, i, j, out);
    put_link_side(p, 1, j, i, out + 10);
    int has_later = i + 1 < p->side[0].count && j + 1 < p->side[1].count;
    out[20] = (float)link_of(p, 0, i, j);
    out[21] = i && j ? (float)link_of(p, 0, i - 1, j - 1) : -1.0f;
    out[22] = has_later ? (float)link_of(p, 0, i + 1, j + 1) : -1.0f;
    out[23] = (float)(p->side[0].left_alone + p->side[1].left_alone);
}

/* ---- a pair ---- */

/* What Python has to decide about two chunks. */
static int
left_to_python(const Chunk *own, const Chunk *other)
{
    int both = own->traits & other->traits, any = own->traits | other->traits;
    int left = both & (QUANTITIES | DATES | AMOUNTS | CONVERSES | PERSONS);
    left |= any & (ABBREVIATION | NAMES);
    if (PyUnicode_GET_LENGTH(own->preposition) && PyUnicode_GET_LENGTH(other->preposition))
        left |= PREPOSITIONS;
    return left;
}

static int
put_row(Pair *p, Py_ssize_t i, Py_ssize_t j, float *out)
{
    memset(out, 0, WIDTH * sizeof(float));
    if (!match_chunks(p, p->side[0].chunk[i], p->side[1].chunk[j]) ||
        !put_one_way(p, 0, i, j, out) || !put_one_way(p, 1, j, i, out + ONE_WAY) ||
        !put_together(p, i, j, out + 2 * ONE_WAY) ||
        !put_wholes(p, i, j, out + LEXICAL + NETWORK))
        return 0;
    put_rest(p, i, j, out + 2 * ONE_WAY + 18);
    put_scores(p, i, j, out + LEXICAL);
    put_link(p, i, j, out + LEXICAL + NETWORK + WHOLE);
    return 1;
}

static void
number_lemmas(Pair *p, PyObject **texts, Py_hash_t *hashes, int *numbers)
{
    for (int s = 0; s < 2; s++) {
        Side *side = &p->side[s];
        for (Py_ssize_t c = 0; c < side->count; c++) {
            const TextSet *set = &side->chunk[c]->lemmas;
            side->lemma[c] = numbers;
            for (Py_ssize_t k = 0; k < set->count; k++) {
                int lemma = 0;
                PyObject *text = PyTuple_GET_ITEM(set->texts, k);
                while (lemma < p->lemmas &&
                       !is_same_text(texts[lemma], hashes[lemma], text, set->hash[k]))
                    lemma++;
                if (lemma == p->lemmas) {
                    texts[lemma] = text;
                    hashes[lemma] = set->hash[k];
                    p->lemmas++;
                }
                side->holders[lemma]++;
                *numbers++ = lemma;
            }
        }
    }
}

/* The chunks of a tuple, or 0 and an exception. */
static int
read_side(Side *side, PyObject *chunks)
{
    Py_ssize_t letters = 0, capitals = 0;
    for (Py_ssize_t k = 0; k < side->count; k++) {
        PyObject *chunk = PyTuple_GET_ITEM(chunks, k);
        if (!is_chunk(chunk)) {
            PyErr_SetString(PyExc_TypeError, "expected chunks");
            return 0;
        }
        side->chunk[k] = (Chunk *)chunk;
        side->tokens += side->chunk[k]->words;
        side->denied += (side->chunk[k]->traits & DENIED) != 0;
        letters += side->chunk[k]->letter_words;
        capitals += side->chunk[k]->capital_words;
    }
    side->capitalised = (double)capitals / (double)(letters > 1 ? letters : 1);
    return 1;
}

/* Memory for everything that depends on the sizes of the sentences, filled with zeros. */
static int
take_memory(Pair *p)
{
    size_t lemmas = 0, most[2] = {1, 1}, chunks[2];
    for (int s = 0; s < 2; s++) {
        chunks[s] = (size_t)p->side[s].count;
        for (size_t c = 0; c < chunks[s]; c++) {
            const Chunk *chunk = p->side[s].chunk[c];
            lemmas += (size_t)chunk->lemmas.count;
            if ((size_t)chunk->count > most[s])
                most[s] = (size_t)chunk->count;
        }
    }
    size_t cells = chunks[0] * chunks[1], both = chunks[0] + chunks[1];
    size_t words = most[0] * most[1];
    size_t size = 2 * words * sizeof(Match) + (most[0] + most[1]) * sizeof(Counterpart) +
                  (2 * cells + (1 + TABLES) * both) * sizeof(double) +
                  lemmas * (sizeof(PyObject *) + sizeof(Py_hash_t)) + both * sizeof(int *) +
                  cells * sizeof(float) + 3 * lemmas * sizeof(int);
    char *at = p->memory = PyMem_Calloc(size ? size : 1, 1);
    if (at == NULL) {
        PyErr_NoMemory();
        return 0;
    }
#define TAKE(field, type, items)                                                                  \
    field = (type *)at;                                                                           \
    at += (items) * sizeof(type);
    PyObject **texts;
    Py_hash_t *hashes;
    int *numbers;
    /* Doubles and what contains them, then pointers, then the rest: so everything is aligned, also
       where pointers have 4 bytes. */
    for (int s = 0; s < 2; s++) {
        TAKE(p->match[s], Match, words)
        TAKE(p->found[s], Counterpart, most[s])
        TAKE(p->side[s].best, double, chunks[s])
    }
    TAKE(p->overlap, double, cells)
    TAKE(p->opposed, double, cells)
    TAKE(p->rows, double, TABLES * chunks[0])
    TAKE(p->columns, double, TABLES * chunks[1])
    TAKE(p->side[0].lemma, int *, chunks[0])
    TAKE(p->side[1].lemma, int *, chunks[1])
    TAKE(texts, PyObject *, lemmas)
    TAKE(hashes, Py_hash_t, lemmas)
    TAKE(p->expected, float, cells)
    TAKE(p->side[0].holders, int, lemmas)
    TAKE(p->side[1].holders, int, lemmas)
    TAKE(numbers, int, lemmas)
#undef TAKE
    number_lemmas(p, texts, hashes, numbers);
    return 1;
}

static int
read_pair(Pair *p, PyObject *chunks1, PyObject *chunks2)
{
    p->side[0].count = PyTuple_GET_SIZE(chunks1);
    p->side[1].count = PyTuple_GET_SIZE(chunks2);
    p->side[0].chunk = PyMem_Calloc(p->side[0].count + p->side[1].count + 1, sizeof(Chunk *));
    if (p->side[0].chunk == NULL) {
        PyErr_NoMemory();
        return 0;
    }
    p->side[1].chunk = p->side[0].chunk + p->side[0].count;
    return read_side(&p->side[0], chunks1) && read_side(&p->side[1], chunks2) && take_memory(p);
}

static void
free_pair(Pair *p)
{
    PyMem_Free(p->memory);
    PyMem_Free(p->side[0].chunk);
}

/* The indices of two chunks, or 0 and an exception. */
static int
read_cell(const Pair *p, PyObject *cells, Py_ssize_t place, Py_ssize_t *i, Py_ssize_t *j)
{
    PyObject *cell = Py_XNewRef(PyList_GetItem(cells, place));
    int is_cell = cell != NULL && PyTuple_Check(cell) && PyArg_ParseTuple(cell, "nn", i, j);
    Py_XDECREF(cell);
    if (is_cell && *i >= 0 && *j >= 0 && *i < p->side[0].count && *j < p->side[1].count)
        return 1;
    if (!PyErr_Occurred())
        PyErr_SetString(PyExc_IndexError, "a cell outside the pair");
    return 0;
}

/* Write a row for each cell; return the rows that Python has to complete. `rows`: for how many
   there is room, even if a function that is called makes the list longer. */
static PyObject *
put_rows(Pair *p, PyObject *cells, float *out, Py_ssize_t rows)
{
    PyObject *left = PyList_New(0);
    for (Py_ssize_t row = 0; left != NULL && row < rows; row++) {
        Py_ssize_t i, j;
        if (!read_cell(p, cells, row, &i, &j)) {
            Py_CLEAR(left);
            break;
        }
        int which = left_to_python(p->side[0].chunk[i], p->side[1].chunk[j]);
        PyObject *todo = NULL;
        if (!put_row(p, i, j, out + row * WIDTH) ||
            (which && ((todo = Py_BuildValue("(nnni)", row, i, j, which)) == NULL ||
                       PyList_Append(left, todo) < 0)))
            Py_CLEAR(left);
        Py_XDECREF(todo);
    }
    return left;
}

/* Arguments: chunks of both sentences, cells; link, relation, score, ALIC of both; rows; functions
   that return the match of two words, the kinship of two words, the known opposition of two
   chunks by their indices and of two words; the match of unrelated words. */
static PyObject *
feature_rows(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    static const Py_ssize_t items[] = {4, 4, 4, 4, 4, 4};
    if (nargs != 14 || !PyTuple_Check(args[0]) || !PyTuple_Check(args[1]) ||
        !PyList_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "expected two tuples, a list and eleven others");
        return NULL;
    }
    Py_buffer views[6];
    if (!arrays_of(args + 3, views, items, 5, 6))
        return NULL;
    Pair pair = {.link = views[0].buf, .relation = views[1].buf, .score = views[2].buf,
                 .tie = args[9], .kinship = args[10], .known = args[11], .opposition = args[12],
                 .no_match = args[13]};
    Py_ssize_t ones = PyTuple_GET_SIZE(args[0]), twos = PyTuple_GET_SIZE(args[1]);
    PyObject *left = NULL;
    pair.side[0].alic = views[3].buf;
    pair.side[1].alic = views[4].buf;
    if (ones == 0 || twos == 0 || views[0].len != 4 * ones * twos ||
        views[1].len != 4 * ones * twos * RELATIONS || views[2].len != 4 * ones * twos * SCORES ||
        views[3].len != 4 * ones || views[4].len != 4 * twos ||
        views[5].len != 4 * WIDTH * PyList_GET_SIZE(args[2])) {
        PyErr_SetString(PyExc_ValueError, "arrays of different sizes");
        goto end;
    }
    if (!read_pair(&pair, args[0], args[1]))
        goto end;
    compare_sentences(&pair);
    sum_up_scores(&pair);
    sum_up_links(&pair, 0);
    sum_up_links(&pair, 1);
    if (find_opposed(&pair))
        left = put_rows(&pair, args[2], views[5].buf, views[5].len / 4 / WIDTH);
end:
    free_pair(&pair);
    release_arrays(views, 6);
    return left;
}

/* ---- chunks without a link ---- */

enum { LONE = 19 };

/* The features of a chunk; `taken`: for each side, which chunks are linked. */
static int
put_lone(const Pair *p, int side, Py_ssize_t place, char *const *taken, float *out)
{
    const Side *one = &p->side[side], *two = &p->side[1 - side];
    const Chunk *own = one->chunk[place];
    Py_ssize_t said = 0, said_by_taken = 0, taken1 = 0, taken2 = 0;
    double strength = 0.0, strongest_taken = 0.0, strongest_free = 0.0;
    int head_said = 0, any_place = 0, any_taken = 0, any_free = 0;
    for (Py_ssize_t a = 0; a < own->count; a++) {
        const Content *word = &own->content[a];
        double best = 0.0;
        int same = 0, same_taken = 0;
        for (Py_ssize_t k = 0; k < two->count; k++) {
            for (Py_ssize_t b = 0; b < two->chunk[k]->count; b++) {
                Match match;
                if (!match_words(p, word, &two->chunk[k]->content[b], &match))
                    return 0;
                best = match.strength > best ? match.strength : best;
                same |= match.kind <= DERIVED;
                same_taken |= match.kind <= DERIVED && taken[1 - side][k];
            }
        }
        said += same;
        said_by_taken += same_taken;
        strength += best;
        head_said |= same && word->word == own->head_word;
        any_place |= word->is_place;
    }
    for (Py_ssize_t k = 0; k < one->count; k++)
        taken1 += taken[side][k];
    for (Py_ssize_t k = 0; k < two->count; k++) {
        double link = link_of(p, side, place, k);
        double *strongest = taken[1 - side][k] ? &strongest_taken : &strongest_free;
        int *any = taken[1 - side][k] ? &any_taken : &any_free;
        *strongest = !*any || link > *strongest ? link : *strongest;
        *any = 1;
        taken2 += taken[1 - side][k];
    }
    double count = own->count ? (double)own->count : 1.0;
    out[0] = (float)own->words;
    out[1] = (float)own->count;
    out[2] = (float)((double)said / count);
    out[3] = (float)((double)said_by_taken / count);
    out[4] = (float)(strength / count);
    out[5] = (float)head_said;
    memcpy(out + 6, own->own + VERB_CHAIN, 3 * sizeof(float));
    out[9] = (float)any_place;
    out[10] = (float)(((double)place + 0.5) / (double)one->count);
    out[11] = (float)one->count;
    out[12] = (float)two->count;
    out[13] = (float)(two->count - taken2);
    out[14] = (float)((double)taken1 / (double)one->count);
    out[15] = (float)p->overlap_of_lemmas;
    out[16] = one->alic[place];
    out[17] = (float)strongest_taken;
    out[18] = (float)strongest_free;
    return 1;
}

/* Mark the linked chunks of both sentences, or return 0 and an exception. */
static int
mark_taken(const Pair *p, PyObject *links, char *const *taken)
{
    for (Py_ssize_t k = 0; k < PyList_GET_SIZE(links); k++) {
        Py_ssize_t i, j;
        if (!read_cell(p, links, k, &i, &j))
            return 0;
        taken[0][i] = taken[1][j] = 1;
    }
    return 1;
}

/* Write a row for each chunk that has words and no link. */
static PyObject *
put_lone_rows(Pair *p, char *const *taken, float *out, Py_ssize_t rows)
{
    p->overlap_of_lemmas = overlap_without(p, -1, -1);
    for (int side = 0; side < 2; side++) {
        for (Py_ssize_t place = 0; place < p->side[side].count; place++) {
            if (taken[side][place] || !(p->side[side].chunk[place]->traits & WORDED))
                continue;
            if (rows-- == 0) {
                PyErr_SetString(PyExc_ValueError, "fewer rows than lone chunks");
                return NULL;
            }
            if (!put_lone(p, side, place, taken, out))
                return NULL;
            out += LONE;
        }
    }
    if (rows == 0)
        Py_RETURN_NONE;
    PyErr_SetString(PyExc_ValueError, "more rows than lone chunks");
    return NULL;
}

/* Arguments: chunks of both sentences, links as a list; link, ALIC of both; rows; function that
   returns the match of two words, the match of unrelated words. */
static PyObject *
lone_rows(PyObject *module, PyObject *const *args, Py_ssize_t nargs)
{
    static const Py_ssize_t items[] = {4, 4, 4, 4};
    if (nargs != 9 || !PyTuple_Check(args[0]) || !PyTuple_Check(args[1]) ||
        !PyList_Check(args[2])) {
        PyErr_SetString(PyExc_TypeError, "expected two tuples, a list and six others");
        return NULL;
    }
    Py_buffer views[4];
    if (!arrays_of(args + 3, views, items, 3, 4))
        return NULL;
    Pair pair = {.link = views[0].buf, .tie = args[7], .no_match = args[8]};
    Py_ssize_t ones = PyTuple_GET_SIZE(args[0]), twos = PyTuple_GET_SIZE(args[1]);
    char *marks = PyMem_Calloc(ones + twos + 1, 1);
    char *const taken[] = {marks, marks + ones};
    PyObject *result = NULL;
    pair.side[0].alic = views[1].buf;
    pair.side[1].alic = views[2].buf;
    if (marks == NULL)
        PyErr_NoMemory();
    else if (views[0].len != 4 * ones * twos || views[1].len != 4 * ones ||
             views[2].len != 4 * twos || views[3].len / 4 % LONE)
        PyErr_SetString(PyExc_ValueError, "arrays of different sizes");
    else if (read_pair(&pair, args[0], args[1]) && mark_taken(&pair, args[2], taken))
        result = put_lone_rows(&pair, taken, views[3].buf, views[3].len / 4 / LONE);
    free_pair(&pair);
    PyMem_Free(marks);
    release_arrays(views, 4);
    return result;
}

PyMethodDef row_functions[] = {
    {"feature_rows", (PyCFunction)(void (*)(void))feature_rows, METH_FASTCALL,
     "Compute the features of chunk pairs; return the rows that are not complete."},
    {"lone_rows", (PyCFunction)(void (*)(void))lone_rows, METH_FASTCALL,
     "Compute the features of chunks without a link."},
    {NULL, NULL, 0, NULL},
};

int
add_row_names(void)
{
    return (kind_name = PyUnicode_InternFromString("kind")) != NULL &&
           (strength_name = PyUnicode_InternFromString("strength")) != NULL &&
           (opposite_name = PyUnicode_InternFromString("opposite")) != NULL &&
           (contrast_name = PyUnicode_InternFromString("contrast")) != NULL &&
           (narrower_name = PyUnicode_InternFromString("narrower")) != NULL &&
           (broader_name = PyUnicode_InternFromString("broader")) != NULL;
}
