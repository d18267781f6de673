package io.github.reconciler4j.client.internal.kubeconfig;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.github.reconciler4j.client.connection.InvalidKubeconfigException;
import io.github.reconciler4j.support.KubernetesJson;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;

/**
 * What kubeconfigs contain, merged as by kubectl: of several files, the first that has a name decides, and the first that has a
 * current context. Read without data binding, whose preparation for the classes of fabric8 takes longer than all else.
 */
final class KubeconfigTree {

    /**
     * A named entry of a kubeconfig.
     *
     * @param folder the folder of the file that has it, null if it is in no file
     */
    record Entry(Fields fields, @Nullable Path folder) {

        /** Return a path of a field, relative to the file; {@code ""} for none. */
        String path(String name) {
            String path = fields.text(name);
            if (path.isEmpty() || folder == null) {
                return path;
            }
            fields.require(path.indexOf('\0') < 0, "has a field '" + name + "' that is no path");
            return folder.resolve(path).normalize().toString();
        }
    }

    /** The line before a document of YAML. */
    private static final Pattern MARKER = Pattern.compile("(?m)^---(?=\\s|$)");

    private final String subject;
    private final Map<String, Entry> contexts = new LinkedHashMap<>();
    private final Map<String, Entry> clusters = new LinkedHashMap<>();
    private final Map<String, Entry> users = new LinkedHashMap<>();
    private String currentContext = "";

    private KubeconfigTree(String subject) {
        this.subject = subject;
    }

    /**
     * Read files. Those that do not exist are left out.
     *
     * @throws InvalidKubeconfigException if one cannot be read
     */
    static KubeconfigTree of(List<Path> files) {
        KubeconfigTree merged = new KubeconfigTree(subject(files));
        for (Path file : files) {
            String name = subject(List.of(file));
            try {
                byte[] content = Files.readAllBytes(file);
                merged.add(
                        name,
                        new String(content, StandardCharsets.UTF_8),
                        file.toAbsolutePath().getParent());
            } catch (NoSuchFileException e) {
                if (files.size() == 1) {
                    throw new InvalidKubeconfigException(name, "does not exist");
                }
            } catch (IOException e) {
                throw new InvalidKubeconfigException(name, "cannot be read");
            }
        }
        return merged;
    }

    private static String subject(List<Path> files) {
        return "The kubeconfig '" + files.stream().map(Path::toString).collect(Collectors.joining(File.pathSeparator))
                + "'";
    }

    /** Read a text that is in no file. */
    static KubeconfigTree of(String subject, String content) {
        KubeconfigTree tree = new KubeconfigTree(subject);
        tree.add(subject, content, null);
        return tree;
    }

    private void add(String name, String content, @Nullable Path folder) {
        Fields root = new Fields(name, "", parse(name, content));
        String apiVersion = root.text("apiVersion");
        String kind = root.text("kind");
        root.require(
                (apiVersion.isEmpty() || apiVersion.equals("v1")) && (kind.isEmpty() || kind.equals("Config")),
                "is no Config of v1");
        add(root, "contexts", "context", folder, contexts);
        add(root, "clusters", "cluster", folder, clusters);
        add(root, "users", "user", folder, users);
        currentContext = currentContext.isEmpty() ? root.text("current-context") : currentContext;
    }

    /** As kubectl does, leave out what follows the first document. What stays keeps its lines, which errors name. */
    private static String firstDocument(String text) {
        Matcher marker = MARKER.matcher(text);
        while (marker.find()) {
            String before = text.substring(0, marker.start());
            if (!before.lines()
                    .map(String::strip)
                    .allMatch(line -> line.isEmpty() || "#%".indexOf(line.charAt(0)) >= 0)) {
                return before;
            }
        }
        return text;
    }

    private static Map<?, ?> parse(String name, String content) {
        String text = firstDocument(content.startsWith("\ufeff") ? content.substring(1) : content);
        try {
            Map<?, ?> tree = text.isBlank() ? Map.of() : KubernetesJson.readYaml(text, Map.class);
            if (tree != null) {
                return tree;
            }
        } catch (RuntimeException | StackOverflowError e) { // an alias of YAML can contain itself
            throw new InvalidKubeconfigException(name, "is not a valid kubeconfig" + position(e));
        }
        throw new InvalidKubeconfigException(name, "is not a valid kubeconfig");
    }

    /** Only the position is repeated, since the message of a parser may quote the file and so its secrets. */
    private static String position(Throwable e) {
        for (Throwable cause = e; cause != null; cause = cause.getCause()) {
            if (cause instanceof MarkedYamlEngineException parsing
                    && parsing.getProblemMark().isPresent()) {
                Mark mark = parsing.getProblemMark().get();
                return position(mark.getLine() + 1, mark.getColumn() + 1);
            }
            if (cause instanceof JsonProcessingException parsing
                    && parsing.getLocation() != null
                    && parsing.getLocation().getLineNr() > 0) {
                return position(
                        parsing.getLocation().getLineNr(), parsing.getLocation().getColumnNr());
            }
        }
        return "";
    }

    private static String position(int line, int column) {
        return " (line " + line + ", column " + column + ")";
    }

    private static void add(Fields root, String list, String content, @Nullable Path folder, Map<String, Entry> to) {
        Set<String> own = new HashSet<>();
        for (Fields element : root.objects(list)) {
            String name = element.text("name");
            root.require(own.add(name), "has a name twice in '" + list + "'");
            Fields fields = element.object(content);
            to.putIfAbsent(
                    name,
                    new Entry(
                            fields == null ? new Fields(root.subject(), list + "." + content, Map.of()) : fields,
                            folder));
        }
    }

    boolean hasContext(String name) {
        return contexts.containsKey(name);
    }

    /** Return all contexts by their names. */
    Map<String, Entry> contexts() {
        return contexts;
    }

    /**
     * Select a context.
     *
     * @param name the context, null for the current one
     */
    Selection select(@Nullable String name) {
        String context = name == null ? currentContext : name;
        Entry selected = contexts.get(context);
        if (name != null && selected == null) {
            throw invalid("has no context '" + name + "'");
        }
        Entry cluster = selected == null ? null : clusters.get(selected.fields.text("cluster"));
        if (selected == null
                || context.isEmpty()
                || cluster == null
                || cluster.fields.text("server").isBlank()) {
            throw invalid(
                    name == null
                            ? "has no current context with a cluster"
                            : "has no cluster for the context '" + name + "'");
        }
        Entry user = users.get(selected.fields.text("user"));
        return new Selection(
                context,
                selected,
                cluster,
                user == null ? new Entry(new Fields(subject, "users", Map.of()), null) : user);
    }

    /** Return a user by its name, null if it is missing. */
    @Nullable
    Entry user(String name) {
        return users.get(name);
    }

    /** Return a cluster by its name, null if it is missing. */
    @Nullable
    Entry cluster(String name) {
        return clusters.get(name);
    }

    /** Return each user and each cluster. */
    List<Entry> usersAndClusters() {
        List<Entry> all = new ArrayList<>(users.values());
        all.addAll(clusters.values());
        return all;
    }

    InvalidKubeconfigException invalid(String problem) {
        return new InvalidKubeconfigException(subject, problem);
    }

    /** A context with what it refers to. */
    record Selection(String name, Entry context, Entry cluster, Entry user) {}
}
