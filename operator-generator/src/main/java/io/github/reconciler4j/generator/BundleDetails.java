package io.github.reconciler4j.generator;

import io.github.reconciler4j.generator.yaml.Yaml;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What a bundle says about the operator: first what the build knows, then the file that people have written. */
final class BundleDetails {

    static final String USAGE = """
                  --title TEXT                  the name that consoles show; also --description, --provider and --provider-url
                  --maintainer NAME=EMAIL       a maintainer; may be repeated
                  --link NAME=URL               a link; may be repeated
                  --keyword TEXT                a word that people search for; may be repeated
                  --icon FILE                   the icon, an SVG, PNG, JPEG or GIF
                  --replaces NAME               the ClusterServiceVersion that this one replaces
                  --bundle-base FILE            parts of a ClusterServiceVersion that are merged into the generated one
                  --channel NAME                a channel of the package, 'stable' by default; may be repeated, the default first
            """;

    private static final Map<String, String> ICONS = Map.of(
            "svg", "image/svg+xml", "png", "image/png", "jpg", "image/jpeg", "jpeg", "image/jpeg", "gif", "image/gif");

    private BundleDetails() {}

    /** Returns parts of a ClusterServiceVersion. A later one overrides the former ones. */
    static List<Map<String, Object>> read(Arguments arguments) {
        Map<String, Object> spec = new LinkedHashMap<>();
        arguments.one("title").ifPresent(text -> spec.put("displayName", text));
        arguments.one("description").ifPresent(text -> spec.put("description", text.strip()));
        Map<String, Object> provider = new LinkedHashMap<>();
        arguments.one("provider").ifPresent(text -> provider.put("name", text));
        arguments.one("provider-url").ifPresent(text -> provider.put("url", text));
        put(spec, "provider", provider.isEmpty() ? List.of() : List.of(provider), true);
        put(spec, "maintainers", named(arguments.pairs("maintainer"), "email"), false);
        put(spec, "links", named(arguments.pairs("link"), "url"), false);
        put(spec, "keywords", arguments.all("keyword"), false);
        put(
                spec,
                "icon",
                arguments.one("icon").map(BundleDetails::icon).stream().toList(),
                false);
        arguments.one("replaces").ifPresent(name -> spec.put("replaces", name));
        List<Map<String, Object>> bases = new ArrayList<>();
        bases.add(Map.of("spec", spec));
        arguments.one("bundle-base").map(Path::of).ifPresent(file -> bases.add(base(file)));
        return bases;
    }

    private static void put(Map<String, Object> spec, String key, List<?> values, boolean one) {
        if (!values.isEmpty()) {
            spec.put(key, one ? values.get(0) : values);
        }
    }

    private static List<Map<String, String>> named(Map<String, String> pairs, String key) {
        List<Map<String, String>> named = new ArrayList<>();
        pairs.forEach((name, value) -> {
            Map<String, String> entry = new LinkedHashMap<>();
            entry.put("name", name);
            entry.put(key, value);
            named.add(entry);
        });
        return named;
    }

    private static Map<String, String> icon(String file) {
        String type = ICONS.get(file.substring(file.lastIndexOf('.') + 1).toLowerCase(java.util.Locale.ROOT));
        if (type == null) {
            throw new GeneratorException("The icon " + file + " must be an .svg, .png, .jpg or .gif file");
        }
        try {
            Map<String, String> icon = new LinkedHashMap<>();
            icon.put("base64data", Base64.getEncoder().encodeToString(Files.readAllBytes(Path.of(file))));
            icon.put("mediatype", type);
            return icon;
        } catch (IOException e) {
            throw new GeneratorException("Cannot read the icon " + file + ": " + e.getMessage(), e);
        }
    }

    private static Map<String, Object> base(Path file) {
        try {
            return Yaml.read(Files.readString(file), file.toString());
        } catch (IOException e) {
            throw new GeneratorException("Cannot read the base of the bundle, " + file + ": " + e.getMessage(), e);
        }
    }
}
