package io.github.reconciler4j.test.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaMember;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.lang.ArchRule;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/** Rules about what the published classes show of libraries and take from them. Other modules use them in their tests. */
public final class ForeignTypes {

    private static final String OWN = "io.github.reconciler4j.";

    private ForeignTypes() {}

    /**
     * No public signature of the API has a type of a JSON library, so that the library can change: methods, constructors, fields
     * and super types that users see, with their type arguments.
     *
     * @param exceptions a class and a type, such as {@code "Trees JsonNode"}, and why
     */
    public static ArchRule noJsonInPublicSignatures(Map<String, String> exceptions) {
        return classes().should(new Exceptions("have no type of a JSON library in a public signature", exceptions) {
            @Override
            Stream<Use> uses(JavaClass item) {
                return !isApi(item)
                        ? Stream.empty()
                        : signatureTypes(item)
                                .map(JavaClass::getBaseComponentType)
                                .filter(ForeignTypes::isJson)
                                .map(type ->
                                        new Use(type.getSimpleName(), item.getName() + " shows " + type.getName()));
            }
        });
    }

    /**
     * No class uses a class in a package that a library calls internal.
     *
     * @param exceptions a class and a class of a library, such as {@code "Tls SSLUtils"}, and why
     */
    public static ArchRule noInternalsOfLibraries(Map<String, String> exceptions) {
        return classes().should(new Exceptions("use no class in a package 'internal' of a library", exceptions) {
            @Override
            Stream<Use> uses(JavaClass item) {
                return item.getDirectDependenciesFromSelf().stream()
                        .filter(dependency -> isForeignInternal(dependency.getTargetClass()))
                        .map(dependency -> new Use(
                                dependency
                                        .getTargetClass()
                                        .getBaseComponentType()
                                        .getSimpleName(),
                                dependency.getDescription()));
            }
        });
    }

    private static boolean isForeignInternal(JavaClass type) {
        JavaClass used = type.getBaseComponentType();
        return !used.getName().startsWith(OWN)
                && List.of(used.getPackageName().split("\\.")).contains("internal");
    }

    private static boolean isJson(JavaClass type) {
        return Stream.of("com.fasterxml.jackson.", "tools.jackson.", "com.google.gson.", "jakarta.json.")
                .anyMatch(type.getName()::startsWith);
    }

    private static boolean isApi(JavaClass type) {
        boolean isPublic = type.getModifiers().contains(JavaModifier.PUBLIC);
        boolean isInternal = List.of(type.getPackageName().split("\\.")).contains("internal");
        return isPublic
                && !isInternal
                && type.getEnclosingClass().map(ForeignTypes::isApi).orElse(true);
    }

    private static Stream<JavaClass> signatureTypes(JavaClass type) {
        Set<JavaClass> types = new HashSet<>();
        type.getSuperclass().ifPresent(superclass -> types.addAll(superclass.getAllInvolvedRawTypes()));
        type.getInterfaces().forEach(one -> types.addAll(one.getAllInvolvedRawTypes()));
        type.getTypeParameters().forEach(parameter -> types.addAll(parameter.getAllInvolvedRawTypes()));
        visible(type.getFields()).forEach(field -> types.addAll(field.getAllInvolvedRawTypes()));
        visible(type.getCodeUnits()).forEach(method -> {
            types.addAll(method.getAllInvolvedRawTypes());
            types.addAll(method.getExceptionTypes());
        });
        return types.stream();
    }

    private static <T extends JavaMember> Stream<T> visible(Collection<T> members) {
        return members.stream()
                .filter(member -> member.getModifiers().contains(JavaModifier.PUBLIC)
                        || member.getModifiers().contains(JavaModifier.PROTECTED));
    }
}
