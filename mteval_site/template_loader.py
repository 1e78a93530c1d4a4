"""Templates, kept once for each language with everything that never changes in them as text.

A judging page has some seventy `{% translate %}` of fixed words and a dozen addresses of static
files. Django looks them up, escapes them and puts them into the page again with every request,
which takes a third of what drawing the page takes. A language is chosen before a template is looked
up, so they can be put in when it is compiled: nothing of this depends on a request.

Only tags whose every argument is written in the template are replaced, and only by what they
themselves draw. What is kept is bounded by the number of templates and languages; like the catalogs
and the static files, it is as it was when the process started.
"""

from html import escape

from django.conf import settings
from django.template import Context
from django.template.base import (
    FilterExpression,
    Node,
    NodeList,
    TextNode,
    TokenType,
    Variable,
    VariableNode,
    render_value_in_context,
)
from django.template.defaulttags import AutoEscapeControlNode, CommentNode, IfNode, LoadNode
from django.template.loaders import base, cached
from django.templatetags.i18n import BlockTranslateNode, LanguageNode, TranslateNode
from django.templatetags.static import StaticNode
from django.utils.safestring import SafeString
from django.utils.translation import get_language

# What is inside of them is drawn otherwise than what is outside.
ALTERED_INSIDE = (AutoEscapeControlNode, LanguageNode)


class FoldedLoader(base.Loader):
    """Compiles a template for the language that is active."""

    def get_template(self, template_name, skip=None):
        template = super().get_template(template_name, skip)
        context = Context(autoescape=self.engine.autoescape)
        with context.bind_template(template):
            fold(template.nodelist, context)
        template.nodelist = KeptNodes(template.nodelist)
        return template


class Loader(cached.Loader, FoldedLoader):
    """Django's cache of templates, one entry for each language."""

    def cache_key(self, template_name, skip=None):
        return f"{get_language()}:{super().cache_key(template_name, skip)}"


def fold(nodes: NodeList, context: Context) -> None:
    """Replace what never changes by its text, in place; neighboring texts become one."""
    folded: list[Node] = []
    for node in nodes:
        if is_constant(node):
            node = TextNode(node.render(context))
        elif type(node) is VariableNode:
            node.__class__ = QuickVariableNode
        elif not isinstance(node, ALTERED_INSIDE):
            for inner in nodelists(node):
                fold(inner, context)
        if isinstance(node, TextNode) and folded and isinstance(folded[-1], TextNode):
            folded[-1] = TextNode(folded[-1].s + node.s)
        else:
            folded.append(node)
    nodes[:] = folded


class QuickVariableNode(VariableNode):
    """Texts and whole numbers as Django draws them, without asking for the formats of the language:
    they have none, as long as thousands are not set apart."""

    def render(self, context):
        value = self.filter_expression.resolve(context)
        kind = type(value)
        if kind is SafeString:
            return value
        if kind is str and context.autoescape:
            return SafeString(escape(value))
        if kind is int and not settings.USE_THOUSAND_SEPARATOR:
            return str(value)
        return render_value_in_context(value, context)


class KeptNodes(NodeList):
    """Of a whole template, which stays as it is: `{% extends %}` walks through all nodes of its
    parent with every page, looking for blocks."""

    def __init__(self, nodes: NodeList) -> None:
        super().__init__(nodes)
        self.contains_nontext = nodes.contains_nontext
        self.by_type: dict[type, list[Node]] = {}

    def get_nodes_by_type(self, nodetype):
        if nodetype not in self.by_type:
            self.by_type[nodetype] = super().get_nodes_by_type(nodetype)
        return self.by_type[nodetype]


def nodelists(node: Node) -> list[NodeList]:
    if isinstance(node, IfNode):  # its own attribute makes a new list
        return [nodelist for _, nodelist in node.conditions_nodelists]
    found = [getattr(node, name, None) for name in node.child_nodelists]
    return [nodelist for nodelist in found if nodelist]


def is_constant(node: Node) -> bool:
    """Whether a tag draws the same in every page of a language."""
    if isinstance(node, (LoadNode, CommentNode)):
        return True
    if isinstance(node, StaticNode):
        return node.varname is None and is_literal(node.path)
    if isinstance(node, TranslateNode):
        return node.asvar is None and is_literal(node.filter_expression, node.message_context)
    if isinstance(node, BlockTranslateNode):
        tokens = [*node.singular, *(node.plural or ())]
        return (
            not node.asvar
            and not node.extra_context
            and node.countervar is None
            and is_literal(node.message_context)
            and all(token.token_type == TokenType.TEXT for token in tokens)
        )
    return False


def is_literal(*expressions: FilterExpression | None) -> bool:
    """Whether these are words in quotes, without a filter."""
    return all(
        each is None
        or (
            not each.filters
            and (not isinstance(each.var, Variable) or each.var.literal is not None)
        )
        for each in expressions
    )
