package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.cfg.MapperConfig;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.jsontype.NamedType;
import com.fasterxml.jackson.databind.jsontype.TypeIdResolver;
import java.lang.reflect.Modifier;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The classes that a value of a type can have. */
final class Subtypes {

    private Subtypes() {}

    /** Return the classes that Jackson knows for a type, by name: the type itself and what annotations name. */
    static List<JavaType> named(MapperConfig<?> config, JavaType type, @Nullable AnnotatedMember member) {
        Set<Class<?>> found = new LinkedHashSet<>();
        for (NamedType subtype : config.getSubtypeResolver().collectAndResolveSubtypesByClass(config, member, type)) {
            found.add(subtype.getType());
        }
        return concrete(config, type, found);
    }

    /** Return those of a type, and those that its sealed classes permit. */
    static List<JavaType> all(MapperConfig<?> config, JavaType type, @Nullable AnnotatedMember member) {
        Set<Class<?>> found = new LinkedHashSet<>();
        named(config, type, member).forEach(each -> found.add(each.getRawClass()));
        addPermitted(type.getRawClass(), found);
        return concrete(config, type, found);
    }

    private static void addPermitted(Class<?> type, Set<Class<?>> found) {
        found.add(type);
        if (type.isSealed()) {
            for (Class<?> permitted : type.getPermittedSubclasses()) {
                addPermitted(permitted, found);
            }
        }
    }

    private static List<JavaType> concrete(MapperConfig<?> config, JavaType type, Set<Class<?>> classes) {
        List<JavaType> concrete = new ArrayList<>();
        for (Class<?> each : classes) {
            if (!Modifier.isAbstract(each.getModifiers()) && type.getRawClass().isAssignableFrom(each)) {
                concrete.add(
                        each == type.getRawClass()
                                ? type
                                : config.getTypeFactory().constructSpecializedType(type, each));
            }
        }
        concrete.sort((one, other) ->
                one.getRawClass().getName().compareTo(other.getRawClass().getName()));
        return concrete;
    }

    /**
     * Return the classes that type ids can name.
     *
     * @param ids null if Jackson deduces the class from the fields
     */
    static List<JavaType> of(
            MapperConfig<?> config, JavaType type, @Nullable AnnotatedMember member, @Nullable TypeIdResolver ids) {
        return ids == null || hasNames(ids) ? named(config, type, member) : all(config, type, member);
    }

    /** Return whether type ids are names of which a schema can list all. */
    static boolean hasNames(TypeIdResolver ids) {
        return ids.getMechanism() == JsonTypeInfo.Id.NAME || ids.getMechanism() == JsonTypeInfo.Id.SIMPLE_NAME;
    }
}
