"""The hooks that MkDocs calls at each step of a build; `website/plugin.py` has their code."""

from website.plugin import Book

book = Book()

on_startup = book.on_startup
on_config = book.on_config
on_files = book.on_files
on_nav = book.on_nav
on_pre_page = book.on_pre_page
on_page_markdown = book.on_page_markdown
on_page_content = book.on_page_content
on_env = book.on_env
on_page_context = book.on_page_context
on_post_page = book.on_post_page
on_post_template = book.on_post_template
on_post_build = book.on_post_build
on_serve = book.on_serve
on_shutdown = book.on_shutdown
