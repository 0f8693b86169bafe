/* T5 %join-identifiers and %with-fresh-names: names made of names.
 *
 * (%join-identifiers (form ...) part ...) stands for (form ... joined). The parts
 * are identifiers and strings; joined has their names one after the other and
 * means what it would where the first of the identifiers was written. So a macro
 * of syntax-rules can hand a name that it derives to another macro.
 *
 * (%with-fresh-names (name ...) form ...) stands for the FORMs, definitions too, with
 * the NAMEs replaced by new identifiers, which nothing else can mean.
 *
 * They are forms of the core alone: libraries get them from (%core). */
#include "expand.h"
#include "rules.h"
#include "string.h"
#include "symbol.h"

static const char join_usage[] = "(%join-identifiers (form ...) identifier-or-string ...)";

static val part_text(struct expander *x, struct syntax *form, struct syntax *part)
{
    if (syntax_is_identifier(part))
        return symbol_name(identifier_symbol(part));
    if (part->kind == SYN_ATOM && is_string(part->atom))
        return part->atom;
    return FAIL(x, form, join_usage, "malformed form: %s", syntax_text(x, form));
}

static val joined_symbol(struct expander *x, struct syntax *form, struct syntax *parts)
{
    size_t length = 0, at = 0;
    unsigned width = 0;
    for (struct syntax *p = parts; syntax_is_pair(x, p); p = p->pair.cdr) {
        val text = TRY(part_text(x, form, p->pair.car));
        length += string_length(text);
        if (string_width(text) > width)
            width = string_width(text);
    }
    heap_charge(x->h, length / 16);
    val name = TRY(string_new(x->h, length, width));
    for (struct syntax *p = parts; syntax_is_pair(x, p); p = p->pair.cdr) {
        val text = TRY(part_text(x, form, p->pair.car));
        size_t n = string_length(text);
        codes_copy(string_storage(name), width, at, string_data(text), string_width(text), 0, n);
        at += n;
    }
    return symbol_intern(x->h, name);
}

/* The symbol as an identifier in the place of the first identifier of the parts. */
static struct syntax *identifier_like(struct expander *x, val symbol, struct syntax *form,
                                      struct syntax *parts)
{
    struct syntax *plain = syntax_atom(x, symbol, form);
    while (syntax_is_pair(x, parts) && !syntax_is_identifier(parts->pair.car))
        parts = parts->pair.cdr;
    if (!syntax_is_pair(x, parts) || parts->pair.car->kind == SYN_SYMBOL)
        return plain;
    struct alias *alias = TAKE(x, struct alias);
    alias->inner = plain;
    alias->scope = parts->pair.car->alias->scope;
    alias->identifier = FALSE;
    struct syntax *id = syntax_new(x, SYN_ALIAS, form);
    id->alias = alias;
    return id;
}

val join_identifiers(struct expander *x, struct syntax *form, struct syntax **out)
{
    TRY(check_form(x, form, 2, -1, join_usage));
    struct syntax *head = form->pair.cdr->pair.car, *parts = form->pair.cdr->pair.cdr;
    if (syntax_length(x, head) < 1)
        return FAIL(x, form, join_usage, "malformed form: %s", syntax_text(x, form));
    val symbol = TRY(joined_symbol(x, form, parts));
    struct syntax **end = out;
    for (; syntax_is_pair(x, head); head = head->pair.cdr) {
        *end = syntax_cons(x, head->pair.car, syntax_new(x, SYN_NIL, form));
        end = &(*end)->pair.cdr;
    }
    *end = syntax_cons(x, identifier_like(x, symbol, form, parts), syntax_new(x, SYN_NIL, form));
    return TRUE;
}

val core_join_identifiers(struct expander *x, struct task *t)
{
    struct syntax *form;
    TRY(join_identifiers(x, t->form, &form));
    push_expression(x, t, form, t->scope, t->out);
    return TRUE;
}

static struct syntax *fresh_identifier(struct expander *x, struct syntax *id, struct scope *scope)
{
    struct alias *alias = TAKE(x, struct alias);
    alias->inner = id;
    alias->scope = scope;
    alias->identifier = FALSE;
    struct syntax *fresh = syntax_new(x, SYN_ALIAS, id);
    fresh->alias = alias;
    return fresh;
}

/* One step of a macro whose variables are the names and whose template is the forms. */
val fresh_names(struct expander *x, struct syntax *form, struct scope *scope, struct syntax **out)
{
    const char *usage = "(%with-fresh-names (name ...) form ...)";
    TRY(check_form(x, form, 2, -1, usage));
    struct syntax *names = syntax_nth(form, 1), *use = syntax_new(x, SYN_NIL, form);
    if (syntax_length(x, names) < 0)
        return FAIL(x, form, usage, "malformed form: %s", syntax_text(x, form));
    struct syntax **end = &use;
    for (struct syntax *p = names; syntax_is_pair(x, p); p = p->pair.cdr) {
        if (!syntax_is_identifier(p->pair.car))
            return FAIL(x, p->pair.car, usage, "%s is not a name", syntax_text(x, p->pair.car));
        *end = syntax_cons(x, fresh_identifier(x, p->pair.car, scope), *end);
        end = &(*end)->pair.cdr;
    }
    struct rule rule = {.pattern = syntax_cons(x, form->pair.car, names),
                        .template = form->pair.cdr->pair.cdr};
    struct macro macro = {.literals = syntax_new(x, SYN_NIL, form),
                          .ellipsis = fresh_identifier(x, form->pair.car, scope),
                          .rules = &rule,
                          .count = 1,
                          .scope = scope,
                          .name = identifier_symbol(form->pair.car),
                          .object = FALSE,
                          .at = form->at,
                          .keeps_names = true};
    return macro_expand(x, &macro, syntax_cons(x, form->pair.car, use), scope, out);
}

val core_fresh_names(struct expander *x, struct task *t)
{
    struct syntax *forms;
    TRY(fresh_names(x, t->form, t->scope, &forms));
    return body_push(x, t, forms, t->scope, t->form, t->out);
}
