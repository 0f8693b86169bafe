/* T5 macros: from a transformer spec, from and to the heap's T_MACRO, one step.
 *
 * A macro of the program's top level or of a library lives in the heap as data
 * (lists with symbols and T_IDENTIFIERs) and is compiled rule by rule when first
 * used in an attempt; a local one stays in the arena. A step renames what the
 * template introduces with fresh aliases and gives all new nodes the position of
 * the use, so that errors show the form the user wrote. */
#include "rules.h"

/* (syntax-rules (literal ...) (pattern template) ...), or with an ellipsis first. */
static val spec_usage(struct expander *x, struct syntax *spec)
{
    return FAIL(x, spec, "(syntax-rules (literal ...) ((_ pattern ...) template) ...)",
                "malformed syntax-rules: %s", syntax_text(x, spec));
}

static val check_literals(struct expander *x, struct syntax *spec, struct syntax *literals)
{
    if (syntax_length(x, literals) < 0)
        return spec_usage(x, spec);
    for (; syntax_is_pair(x, literals); literals = literals->pair.cdr) {
        if (!syntax_is_identifier(literals->pair.car))
            return spec_usage(x, spec);
    }
    return TRUE;
}

static val compile_rules(struct expander *x, struct macro *m, struct syntax *rules)
{
    int64_t n = syntax_length(x, rules);
    m->rules = ARENA_ARRAY(x->a, struct rule, (size_t)n + 1);
    if (!m->rules)
        return RETRY;
    m->count = (size_t)n;
    for (size_t i = 0; i < m->count; i++, rules = rules->pair.cdr) {
        struct syntax *rule = rules->pair.car;
        if (syntax_length(x, rule) != 2)
            return FAIL(x, rule, "a rule is ((_ pattern ...) template)", "malformed rule: %s",
                        syntax_text(x, rule));
        m->rules[i].pattern = rule->pair.car;
        m->rules[i].template = rule->pair.cdr->pair.car;
        TRY(rule_compile(x, m, &m->rules[i]));
    }
    return TRUE;
}

static val macro_from_rules(struct expander *x, struct syntax *spec, struct scope *scope, val name,
                            struct macro *m)
{
    int64_t n = syntax_length(x, spec);
    if (n < 2)
        return spec_usage(x, spec);
    struct syntax *p = spec->pair.cdr;
    m->scope = scope;
    m->name = name;
    m->object = FALSE;
    m->at = spec->at;
    if (syntax_is_identifier(p->pair.car)) {
        m->ellipsis = p->pair.car;
        p = p->pair.cdr;
        if (n < 3)
            return spec_usage(x, spec);
    }
    m->literals = p->pair.car;
    TRY(check_literals(x, spec, m->literals));
    return compile_rules(x, m, p->pair.cdr);
}

/* (define-syntax name other-keyword) */
static val alias_of_keyword(struct expander *x, struct syntax *id, struct scope *scope,
                            struct binding *b)
{
    struct resolved r;
    TRY(resolve(x, id, scope, &r));
    if (!r.binding || (r.binding->kind != BIND_MACRO && r.binding->kind != BIND_CORE))
        return FAIL(x, id, "(define-syntax name (syntax-rules (literal ...) rule ...))",
                    "%s is not syntax", identifier_text(x, id));
    const struct position *at = b->at;
    *b = *r.binding;
    b->at = at;
    return TRUE;
}

val macro_from_spec(struct expander *x, struct syntax *spec, struct scope *scope, val name,
                    struct binding *b)
{
    unsigned core;
    TRY(expand_head(x, &spec, scope, &core));
    if (syntax_is_identifier(spec))
        return alias_of_keyword(x, spec, scope, b);
    if (core != CORE_SYNTAX_RULES)
        return FAIL(x, spec, "macros are written with syntax-rules only",
                    "not a macro transformer: %s", syntax_text(x, spec));
    b->kind = BIND_MACRO;
    b->cell = HOLE;
    b->macro = TAKE(x, struct macro);
    return macro_from_rules(x, spec, scope, name, b->macro);
}

/* -- the heap's form --------------------------------------------------------------- */
val macro_from_object(struct expander *x, val object, struct macro **out)
{
    struct position nowhere = {.file = FALSE};
    *out = map_get(&x->macros, object.bits);
    if (*out)
        return TRUE;
    struct macro *m = TAKE(x, struct macro);
    val rules = object_field(object, MACRO_RULES), ellipsis = object_field(object, MACRO_ELLIPSIS);
    m->count = object_length(rules) / 2;
    m->rules = ARENA_ARRAY(x->a, struct rule, m->count + 1);
    if (!m->rules)
        return RETRY;
    for (size_t i = 0; i < m->count; i++) {
        m->rules[i].pattern = syntax_of_datum(x, object_fields(rules)[2 * i], &nowhere);
        m->rules[i].template = syntax_of_datum(x, object_fields(rules)[2 * i + 1], &nowhere);
    }
    m->literals = syntax_of_datum(x, object_field(object, MACRO_LITERALS), &nowhere);
    m->ellipsis = is_true(ellipsis) ? syntax_of_datum(x, ellipsis, &nowhere) : NULL;
    m->name = object_field(object, MACRO_NAME);
    m->object = object;
    m->at = nowhere;
    TRY(scope_root(x, object_field(object, MACRO_ENVIRONMENT), &m->scope));
    *out = m;
    return map_put(x->a, &x->macros, object.bits, m);
}

static val rules_vector(struct expander *x, struct macro *m)
{
    val v = TRY(heap_alloc_constant(x->h, T_VECTOR, 2 * m->count, 0));
    for (size_t i = 0; i < 2 * m->count; i++)
        object_fields(v)[i] = FALSE;
    for (size_t i = 0; i < m->count; i++) {
        val pattern = TRY(syntax_datum(x, m->rules[i].pattern, true));
        val template = TRY(syntax_datum(x, m->rules[i].template, true));
        heap_store(x->h, v, &object_fields(v)[2 * i], pattern);
        heap_store(x->h, v, &object_fields(v)[2 * i + 1], template);
    }
    return v;
}

val macro_object(struct expander *x, struct macro *m)
{
    if (is_true(m->object))
        return m->object;
    struct scope *root = m->scope;
    while (root->parent)
        root = root->parent;
    val rules = TRY(rules_vector(x, m));
    val literals = TRY(syntax_datum(x, m->literals, true));
    val ellipsis = m->ellipsis ? TRY(identifier_object(x, m->ellipsis)) : FALSE;
    val object = TRY(heap_alloc(x->h, T_MACRO, 0, 0));
    val *f = object_fields(object);
    f[MACRO_LITERALS] = literals;
    f[MACRO_ELLIPSIS] = ellipsis;
    f[MACRO_RULES] = rules;
    f[MACRO_ENVIRONMENT] = root->environment;
    f[MACRO_NAME] = m->name;
    m->object = object;
    return object;
}

/* -- one step ------------------------------------------------------------------------- */
static val no_match(struct expander *x, struct macro *m, struct syntax *form)
{
    const char *hint = NULL;
    if (m->count > 0) {
        char *text = arena_alloc(x->a, 160);
        const char *pattern = syntax_text(x, m->rules[0].pattern);
        if (!text)
            return RETRY;
        memcpy(text, "its first pattern is ", 21);
        memcpy(text + 21, pattern, size_min(strlen(pattern), 120));
        hint = text;
    }
    return FAIL(x, form, hint, "no rule of the macro %s matches: %s", symbol_text(x, m->name),
                syntax_text(x, form));
}

val macro_expand(struct expander *x, struct macro *m, struct syntax *form, struct scope *scope,
                 struct syntax **out)
{
    for (size_t i = 0; i < m->count; i++) {
        struct rule *r = &m->rules[i];
        if (!r->matcher)
            TRY(rule_compile(x, m, r));
        struct match *matches = ARENA_ARRAY(x->a, struct match, r->variables + 1);
        if (!matches)
            return RETRY;
        if (is_true(TRY(rule_match(x, m, r, form, scope, matches))))
            return rule_build(x, m, r, form, matches, out);
    }
    return no_match(x, m, form);
}
