package io.github.reconciler4j.test.server.internal.registry;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * All kinds that the server serves now. Reads see one state; changes replace it as a whole. Safe for use by many threads.
 *
 * @since 0.1.0
 */
public final class Registry {
    private record Key(String group, String version, String plural) {}

    private final ReentrantLock changeLock = new ReentrantLock();
    /** Replaced as a whole under {@code changeLock}; never changed. */
    private volatile Map<Key, ResourceType> types;

    /** A registry of the built-in kinds. */
    public Registry() {
        Map<Key, ResourceType> builtIn = new LinkedHashMap<>();
        BuiltInKinds.rows().forEach(row -> builtIn.put(key(row.type()), row.type()));
        types = builtIn;
    }

    private static Key key(ResourceType type) {
        return new Key(type.group(), type.version(), type.plural());
    }

    /** The kind with this path, or null. */
    public @Nullable ResourceType find(String group, String version, String plural) {
        return types.get(new Key(group, version, plural));
    }

    /** The kind of this name, or null. */
    public @Nullable ResourceType findKind(String group, String version, String kind) {
        for (ResourceType type : types.values()) {
            if (type.group().equals(group)
                    && type.version().equals(version)
                    && type.kind().equals(kind)) {
                return type;
            }
        }
        return null;
    }

    /** Any version of a resource, or null. */
    public @Nullable ResourceType findAny(String group, String plural) {
        for (ResourceType type : types.values()) {
            if (type.is(group, plural)) {
                return type;
            }
        }
        return null;
    }

    /** All of them, in the order of discovery. */
    public Collection<ResourceType> all() {
        return types.values();
    }

    /** The versions of a group, in the order of preference; empty when there is no such group. */
    public List<String> versions(String group) {
        List<String> versions = new ArrayList<>();
        for (ResourceType type : all()) {
            if (type.group().equals(group) && !versions.contains(type.version())) {
                versions.add(type.version());
            }
        }
        versions.sort(VersionOrder.INSTANCE);
        return versions;
    }

    /** Puts the versions of one CustomResourceDefinition in the place of those it had; none removes them. */
    public void replaceCustom(String definition, List<ResourceType> versions) {
        change(after -> {
            after.values()
                    .removeIf(type ->
                            type.custom() != null && type.custom().definition().equals(definition));
            versions.forEach(type -> after.put(key(type), type));
            return after;
        });
    }

    private void change(UnaryOperator<Map<Key, ResourceType>> change) {
        changeLock.lock();
        try {
            types = change.apply(new LinkedHashMap<>(types));
        } finally {
            changeLock.unlock();
        }
    }

    /**
     * Orders API versions by preference: {@code v2, v1, v2beta1, v1beta2, v1alpha1}, then everything else by name.
     */
    private enum VersionOrder implements Comparator<String> {
        /** The only one. */
        INSTANCE;

        private static final Pattern FORM = Pattern.compile("v([1-9][0-9]*)(?:(alpha|beta)([1-9][0-9]*))?");

        @Override
        public int compare(String one, String other) {
            Matcher first = FORM.matcher(one);
            Matcher second = FORM.matcher(other);
            boolean firstFits = first.matches();
            boolean secondFits = second.matches();
            if (!firstFits || !secondFits) {
                return firstFits == secondFits ? one.compareTo(other) : firstFits ? -1 : 1;
            }
            int byStability = Integer.compare(stability(second), stability(first));
            if (byStability != 0) {
                return byStability;
            }
            int byMajor = Long.compare(number(second.group(1)), number(first.group(1)));
            return byMajor != 0 ? byMajor : Long.compare(number(second.group(3)), number(first.group(3)));
        }

        private static int stability(Matcher version) {
            String word = version.group(2);
            return word == null ? 2 : word.equals("beta") ? 1 : 0;
        }

        private static long number(String digits) {
            return digits == null ? 0 : digits.length() > 18 ? Long.MAX_VALUE : Long.parseLong(digits);
        }
    }
}
