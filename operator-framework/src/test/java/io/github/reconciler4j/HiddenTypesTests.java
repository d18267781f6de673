package io.github.reconciler4j;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.IdentifierTree;
import com.sun.source.tree.Tree;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import javax.lang.model.element.Modifier;
import org.junit.jupiter.api.Test;

/**
 * Hidden types are package-private, or in a package named {@code internal}. A type of its own costs a reader a name and a file,
 * so a small one with a single user is nested in it.
 */
class HiddenTypesTests {

    private static final int SMALL = 80;

    /**
     * It was 231 before small types were nested in their users, and 176 before kubeconfigs were read here and not by fabric8.
     * It was 212 before the requests of joined clusters had bounds, and threads and time one source, and 217 before unrelated types of
     * more than 80 lines got files of their own.
     */
    private static final int MOST_HIDDEN = 231;

    /** It was 47 percent. */
    private static final double HIGHEST_SHARE = 0.31;

    /** Why a small type with one user is not nested in it. */
    private static final Map<String, String> REASONS = Map.ofEntries(
            Map.entry("cache.internal.BusyObjects", "KindStore would have two subjects"),
            Map.entry("cache.internal.storage.UndecodableObjects", "the statuses and metrics use it through KindStore"),
            Map.entry("cache.internal.watch.WatchGaps", "Reflector would exceed 500 lines"),
            Map.entry("cache.internal.watch.WatchPosition", "Reflector would exceed 500 lines"),
            Map.entry("client.internal.apply.PreviousApply", "ConditionalApply would have two subjects"),
            Map.entry(
                    "client.internal.kubeconfig.KubeconfigEnvironment",
                    "Kubeconfig is public, and says nothing of how files are found"),
            Map.entry("client.internal.kubeconfig.KubeconfigToken", "KubeconfigReader would have two subjects"),
            Map.entry("controller.internal.ApiRateLimits", "keeps what API errors mean out of the options"),
            Map.entry("controller.internal.RequestIntervals", "RequestProcessor would have two subjects"),
            Map.entry("metrics.GuardedMetrics", "would be public in OperatorMetrics, which is an interface"),
            Map.entry("metrics.NoMetrics", "would be public in OperatorMetrics, which is an interface"));

    private static final Set<String> CORE = Set.of("operator-framework", "operator-connection", "operator-workqueue");

    /** The types of the core, and the types of other modules, which use hidden types too. */
    private static final Map<String, List<Type>> TYPES =
            SourceTrees.LIBRARIES.stream().collect(Collectors.toMap(module -> module, HiddenTypesTests::types));

    /** A top-level type. Its name is without the package that all share. */
    private record Type(Place place, int lines, boolean hidden, Set<String> identifiers, Set<String> imports) {

        /** Whether its code names the other type. */
        boolean uses(Type other) {
            String full = other.place.packageName + "." + other.place.simpleName;
            boolean visible = place.packageName.equals(other.place.packageName) || imports.contains(full);
            return visible && identifiers.contains(other.place.simpleName)
                    || imports.stream().anyMatch(each -> each.startsWith(full + "."));
        }
    }

    private record Place(String packageName, String simpleName) {

        @Override
        public String toString() {
            return (packageName + "." + simpleName).replaceFirst("^io\\.github\\.reconciler4j\\.", "");
        }
    }

    private static List<Type> types(String module) {
        try {
            List<Type> types = new ArrayList<>();
            List<Path> sources = SourceTrees.sources(module, "main");
            for (CompilationUnitTree unit : SourceTrees.parse(sources).units()) {
                for (Tree declaration : unit.getTypeDecls()) {
                    if (declaration instanceof ClassTree type) {
                        types.add(type(unit, type));
                    }
                }
            }
            return types;
        } catch (IOException e) {
            throw new AssertionError("the sources cannot be read", e);
        }
    }

    private static Type type(CompilationUnitTree unit, ClassTree type) throws IOException {
        String packageName = unit.getPackageName().toString();
        boolean hidden = packageName.contains(".internal")
                || !type.getModifiers().getFlags().contains(Modifier.PUBLIC);
        Set<String> identifiers = new HashSet<>();
        new TreeScanner<Void, Void>() {
            @Override
            public Void visitIdentifier(IdentifierTree identifier, Void unused) {
                identifiers.add(identifier.getName().toString());
                return null;
            }
        }.scan(unit, null);
        Set<String> imports = unit.getImports().stream()
                .map(each -> each.getQualifiedIdentifier().toString())
                .collect(Collectors.toSet());
        int lines = Files.readAllLines(Path.of(unit.getSourceFile().getName())).size();
        Place place = new Place(packageName, type.getSimpleName().toString());
        return new Type(place, lines, hidden, identifiers, imports);
    }

    private static List<Type> hidden() {
        return CORE.stream()
                .flatMap(module -> TYPES.get(module).stream())
                .filter(Type::hidden)
                .toList();
    }

    private static List<Type> usersOf(Type used) {
        return TYPES.values().stream()
                .flatMap(List::stream)
                .filter(type -> type != used && type.uses(used))
                .toList();
    }

    private static List<Type> hiddenWithOneUser() {
        return hidden().stream().filter(type -> usersOf(type).size() == 1).toList();
    }

    @Test
    void smallTypesAreNestedInTheirOnlyUser() {
        List<String> small = hiddenWithOneUser().stream()
                .filter(type -> type.lines < SMALL)
                .filter(type -> !REASONS.containsKey(type.place.toString()))
                .map(type -> type.place + " in " + usersOf(type).get(0).place)
                .toList();
        assertThat(small).as("types to nest, or to add to the reasons").isEmpty();
    }

    @Test
    void hiddenTypesAreUsedByAnother() {
        assertThat(hidden().stream().filter(type -> usersOf(type).isEmpty()).map(type -> type.place.toString()))
                .as("hidden types without a user")
                .isEmpty();
    }

    @Test
    void hiddenTypesAreFewAndShared() {
        assertThat(hidden()).as("hidden types").hasSizeBetween(20, MOST_HIDDEN);
        double share = (double) hiddenWithOneUser().size() / hidden().size();
        assertThat(share)
                .as("share of hidden types with one user, "
                        + hiddenWithOneUser().size() + " of "
                        + hidden().size() + ": "
                        + hiddenWithOneUser().stream()
                                .map(type -> type.place + " in " + usersOf(type).get(0).place)
                                .toList())
                .isLessThanOrEqualTo(HIGHEST_SHARE);
    }
}
