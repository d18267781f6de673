"""Hooks of MkDocs: links that leave docs/ go to the repository, and the Javadoc that a build has left is copied into the site."""

import posixpath
import re
import shutil
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent.parent.parent
LINK = re.compile(r"(\]\()([^)\s#]+)(#[^)\s]*)?(\))")


def on_page_markdown(markdown, page, config, files):
    folder = posixpath.dirname("docs/" + page.file.src_uri)

    def link(match):
        target = match.group(2)
        path = posixpath.normpath(posixpath.join(folder, target))
        if re.match(r"[a-z]+:", target) or path.startswith("docs/"):
            return match.group(0)
        kind = "tree" if (ROOT / path).is_dir() else "blob"
        return f"{match.group(1)}{config['repo_url'].rstrip('/')}/{kind}/main/{path}{match.group(3) or ''}{match.group(4)}"

    parts = re.split(r"(?s)(```.*?```)", markdown)
    return "".join(part if part.startswith("```") else LINK.sub(link, part) for part in parts)


def on_post_build(config):
    site = Path(config["site_dir"])
    modules = sorted(path.parents[2] for path in ROOT.glob("*/target/reports/apidocs") if (path / "index.html").exists())
    for module in modules:
        shutil.copytree(module / "target/reports/apidocs", site / "javadoc" / module.name, dirs_exist_ok=True)
    items = "".join(f'<li><a href="{module.name}/index.html">{module.name}</a></li>' for module in modules)
    if modules:
        (site / "javadoc/index.html").write_text(
            f'<!doctype html><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Javadoc</title>'
            f'<h1>Javadoc</h1><ul>{items}</ul><p><a href="../index.html">Documentation</a></p>', encoding="utf-8")
