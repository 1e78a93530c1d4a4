"""Templates, kept once for each language with everything that never changes in them as text.

A judging page has some seventy `{% translate %}` of fixed words and a dozen addresses of static
files. Django looks them up, escapes them and puts them into the page again with every request,
which takes a third of what drawing the page takes. A language is chosen before a template is looked
up, so they can be put in when it is compiled: nothing of this depends on a request. A page is made
one with the templates that it extends, and what is left is drawn by `quick_nodes`.

Only tags whose every argument is written in the template are replaced, and only by what they
themselves draw. What is kept is bounded by the number of templates and languages; like the catalogs
and the static files, it is as it was when the process started.
"""

from typing import Any

from django.template import Context
from django.template.base import FilterExpression, Node, NodeList, TextNode, TokenType, Variable
from django.template.defaulttags import (
    AutoEscapeControlNode,
    CommentNode,
    IfNode,
    LoadNode,
    URLNode,
)
from django.template.loader_tags import BlockNode, ExtendsNode
from django.template.loaders import base, cached
from django.templatetags.i18n import BlockTranslateNode, LanguageNode, TranslateNode
from django.templatetags.static import StaticNode
from django.urls import NoReverseMatch, get_script_prefix
from django.utils.translation import get_language

from .quick_nodes import QuickNodes, quicken

# What is inside of them is drawn otherwise than what is outside.
ALTERED_INSIDE = (AutoEscapeControlNode, LanguageNode)


class FoldedLoader(base.Loader):
    """Compiles a template for the language that is active."""

    def get_template(self, template_name, skip=None):
        template = super().get_template(template_name, skip)
        self.join_parent(template)
        context = Context(autoescape=self.engine.autoescape)
        with context.bind_template(template):
            fold(template.nodelist, context)
        return template

    def join_parent(self, template) -> None:
        """Put a template's blocks into those of the template that it extends, if that one's name is
        in quotes and no block asks for the parent's."""
        extends = template.nodelist[0] if template.nodelist else None
        if not isinstance(extends, ExtendsNode) or "block.super" in template.source:
            return
        name: Any = extends.parent_name
        if name.is_var or name.filters:
            return
        parent = super().get_template(name.var, [extends.origin])
        self.join_parent(parent)
        blocks: Any = parent.nodelist.get_nodes_by_type(BlockNode)
        for block in blocks:
            if block.name in extends.blocks:
                block.nodelist = extends.blocks[block.name].nodelist
        template.nodelist = parent.nodelist


class Loader(cached.Loader, FoldedLoader):
    """Django's cache of templates, one entry for each language and place of the site."""

    def cache_key(self, template_name, skip=None):
        key = super().cache_key(template_name, skip)
        return f"{get_language()}:{get_script_prefix()}:{key}"


def fold(nodes: NodeList, context: Any) -> None:
    """Replace what never changes by its text, in place; neighboring texts become one."""
    folded: list[Node] = []
    for node in nodes:
        text = constant(node, context)
        if text is not None:
            node = TextNode(text)
        elif not isinstance(node, ALTERED_INSIDE):
            quicken(node)
            for inner in nodelists(node):
                fold(inner, context)
        if isinstance(node, TextNode) and folded and isinstance(folded[-1], TextNode):
            folded[-1] = TextNode(folded[-1].s + node.s)
        else:
            folded.append(node)
    nodes[:] = folded
    if type(nodes) is NodeList and not context.template.engine.debug:
        nodes.__class__ = QuickNodes


def constant(node: Node, context: Any) -> str | None:
    """What a tag draws in every page of a language; None where that depends on the page."""
    if is_constant(node):
        return node.render(context)
    if isinstance(node, URLNode) and is_fixed_address(node):
        try:
            return node.render(context)
        except NoReverseMatch:  # in a part that is not drawn where there is no such page
            return None
    return None


def is_fixed_address(node: URLNode) -> bool:
    is_plain = not node.args and not node.kwargs and not node.asvar
    return is_plain and is_literal(node.view_name) and ":" not in node.view_name.var


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
