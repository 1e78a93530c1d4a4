"""Nodes of templates that draw what Django's own draw, by a shorter way.

Django's nodes provide for every kind of value, context and error at every step. Most of a page is
plain attributes of plain objects, so each class here does that case itself and leaves every other
one to the class that it is made from. `template_loader` puts them in where a template is compiled.
"""

from collections.abc import Iterable, Iterator
from html import escape
from typing import Any

from django.conf import settings
from django.forms import BaseForm
from django.template.base import (
    FilterExpression,
    NodeList,
    Variable,
    VariableDoesNotExist,
    VariableNode,
    render_value_in_context,
)
from django.template.defaulttags import (
    CycleNode,
    IfChangedNode,
    IfNode,
    ResetCycleNode,
    TemplateLiteral,
)
from django.template.loader_tags import (
    BLOCK_CONTEXT_KEY,
    BlockNode,
    ExtendsNode,
    IncludeNode,
    construct_relative_path,
)
from django.templatetags.i18n import BlockTranslateNode
from django.utils.functional import SimpleLazyObject
from django.utils.safestring import SafeString
from django.utils.translation import gettext, trim_whitespace

# Nodes that keep something for as long as their template is being drawn.
WITH_A_STATE = (BlockNode, ExtendsNode, CycleNode, ResetCycleNode, IfChangedNode)


def quicken(node) -> None:
    """Make a node a quick one, where there is one of its kind and it is used in the plain way."""
    kind = type(node)
    if kind is VariableNode:
        node.__class__ = QuickVariableNode
    elif kind is BlockNode:
        node.__class__ = QuickBlock
    elif kind is IfNode:
        for condition, _ in node.conditions_nodelists:
            quicken_condition(condition)
    elif kind is IncludeNode and not node.isolated_context:
        node.__class__ = QuickInclude
        node.known = {}
    elif kind is BlockTranslateNode and is_plain(node):
        text, names = node.render_token_list(node.singular)
        node.__class__ = QuickBlockTranslate
        node.text, node.names = gettext(trim_whitespace(text) if node.trimmed else text), names
    for expression in expressions(vars(node).values()):
        quicken_variables(expression)


def is_plain(node: BlockTranslateNode) -> bool:
    return not (node.asvar or node.plural or node.countervar or node.message_context)


def expressions(values: Iterable) -> Iterator[FilterExpression]:
    """Those of a node, which are attributes of it, or in lists or dictionaries."""
    for value in values:
        if isinstance(value, FilterExpression):
            yield value
        elif type(value) is list:
            yield from expressions(value)
        elif type(value) is dict:
            yield from expressions(value.values())


def quicken_variables(expression: Any) -> None:
    arguments = [value for _, values in expression.filters for _, value in values]
    for variable in (expression.var, *arguments):
        if type(variable) is Variable and variable.lookups:
            variable.__class__ = QuickVariable


def quicken_condition(condition) -> None:
    """Of `{% if %}`: a tree of operators with expressions at its ends."""
    if condition is None:  # else
        return
    if isinstance(condition, TemplateLiteral):
        expression: Any = condition.value
        quicken_variables(expression)
        if expression.is_var and not expression.filters:
            condition.__class__ = QuickLiteral
        return
    for part in (condition.first, condition.second):
        quicken_condition(part)


class QuickNodes(NodeList):
    """Draws its nodes without what Django has in between for its page of errors in debugging."""

    def render(self, context):
        return SafeString("".join([node.render(context) for node in self]))


class QuickVariable(Variable):
    """Names in the context, items of dictionaries, attributes of what has no items."""

    __slots__ = ()

    def resolve(self, context):
        if self.translate or self.lookups is None:
            return super().resolve(context)
        first, *names = self.lookups
        for values in reversed(context.dicts):
            if first in values:
                found = values[first]
                break
        else:
            return super().resolve(context)
        for name in names:
            if has_item(found, name):
                found = found[name]
            elif callable(found) or not is_open(type(found)):
                return super().resolve(context)
            else:
                try:
                    found = getattr(found, name)
                except (AttributeError, TypeError):
                    return super().resolve(context)
        return super().resolve(context) if callable(found) else found


def has_item(value, name: str) -> bool:
    kind = type(value)
    return (kind is dict and name in value) or (
        isinstance(value, BaseForm) and name in value.fields
    )


def is_open(kind: Any) -> bool:
    """Whether what is no item of such a value can only be an attribute."""
    return (
        not hasattr(kind, "__getitem__") or kind is SimpleLazyObject or issubclass(kind, BaseForm)
    )


class QuickLiteral(TemplateLiteral):
    """A variable without a filter in a condition."""

    value: Any

    def eval(self, context):
        try:
            return self.value.var.resolve(context)
        except VariableDoesNotExist:
            return None


def drawn(value, context) -> str:
    """Texts and whole numbers as Django draws them, without asking for the formats of the language:
    they have none, as long as thousands are not set apart."""
    kind = type(value)
    if kind is SafeString:
        return value
    if kind is str and context.autoescape:
        return SafeString(escape(value))
    if kind is int and not settings.USE_THOUSAND_SEPARATOR:
        return str(value)
    return render_value_in_context(value, context)


class QuickVariableNode(VariableNode):
    def render(self, context):
        return drawn(self.filter_expression.resolve(context), context)


class QuickBlock(BlockNode):
    """A block that nothing is put into any more, as its page is one with the page's parents."""

    def render(self, context):
        if BLOCK_CONTEXT_KEY in context.render_context:
            return super().render(context)
        with context.push(block=self):
            return self.nodelist.render(context)


class QuickInclude(IncludeNode):
    """Looks a template up once; one that keeps nothing while it is drawn is drawn by its nodes."""

    known: dict[str, NodeList | None]

    def render(self, context):
        name = self.template.resolve(context)
        nodes = self.nodes(name, context) if isinstance(name, str) else None
        if nodes is None:
            return super().render(context)
        values = {key: each.resolve(context) for key, each in self.extra_context.items()}
        with context.push(**values):
            return nodes.render(context)

    def nodes(self, name: str, context) -> NodeList | None:
        if name not in self.known:
            origin: Any = self.origin
            path = construct_relative_path(origin.template_name, name)
            found = context.template.engine.get_template(path).nodelist
            self.known[name] = None if found.get_nodes_by_type(WITH_A_STATE) else found
        return self.known[name]


class QuickBlockTranslate(BlockTranslateNode):
    """A sentence with names in it; its words are those of the language it was compiled for."""

    text: str
    names: list[str]

    def render(self, context, nested=False):
        values = {name: each.resolve(context) for name, each in self.extra_context.items()}
        with context.push(**values):
            if nested or any(name not in context for name in self.names):
                found = None
            else:
                found = {name: drawn(context[name], context) for name in self.names}
        try:
            return super().render(context, nested) if found is None else self.text % found
        except (KeyError, ValueError):  # a catalog with a broken sentence
            return super().render(context)
