package io.github.reconciler4j.generator.crd;

import io.fabric8.generator.annotation.Size;
import io.github.reconciler4j.generator.crd.MemberMarks.Member;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedArrayType;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.AnnotatedWildcardType;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A type as field and getter of a member declare it, or a part of it, with the annotations on its arguments, on the items of
 * arrays, and on the arguments of the list or map that a class extends.
 *
 * @param types one of the field and one of the getter; none if nothing is known
 * @param ofArray the size of a declared array, which Java also puts on the items
 */
record TypeUses(List<AnnotatedType> types, @Nullable Size ofArray) {

    static final TypeUses NONE = new TypeUses(List.of(), null);

    /** Return the types of a member, that of the field first, since it is where people put annotations. */
    static TypeUses of(Member member) {
        AnnotatedElement element = member.member().getAnnotated();
        List<AnnotatedType> types = new ArrayList<>();
        if (element instanceof Method method) {
            Field field = field(method.getDeclaringClass(), MemberMarks.property(method.getName()));
            if (field != null) {
                types.add(field.getAnnotatedType());
            }
            types.add(method.getAnnotatedReturnType());
        } else if (element instanceof Field field) {
            types.add(field.getAnnotatedType());
        }
        TypeUses uses = new TypeUses(types, null);
        boolean isOfArray = uses.isArray() && uses.own(Size.class) == null;
        return isOfArray ? new TypeUses(types, member.annotation(Size.class)) : uses;
    }

    static @Nullable Field field(Class<?> type, String name) {
        try {
            return type.getDeclaredField(name);
        } catch (NoSuchFieldException e) {
            return null;
        }
    }

    /**
     * Return the annotation of the member that has this type. What precedes the declaration of an array is for its items, except for
     * sizes.
     *
     * @param declared the annotation on the declaration
     * @param isList whether an array is written as a list
     */
    <A extends Annotation> @Nullable A ofMember(Class<A> type, @Nullable A declared, boolean isList) {
        A own = isArray() ? own(type) : null;
        boolean isOfItems =
                isList && isArray() && type != Size.class && argument(0).hasDeep(type);
        return own != null ? own : isOfItems ? null : declared;
    }

    /** Return the annotation of this type; an array that is written as a text has those of its items. */
    <A extends Annotation> @Nullable A find(Class<A> type, boolean isList) {
        A own = own(type);
        return own != null || isList || !isArray() ? own : argument(0).own(type);
    }

    private <A extends Annotation> @Nullable A own(Class<A> type) {
        return types.stream()
                .map(each -> each.getAnnotation(type))
                .filter(Objects::nonNull)
                .filter(found -> !found.equals(ofArray) || isArray())
                .findFirst()
                .orElse(null);
    }

    private boolean isArray() {
        return types.stream().anyMatch(AnnotatedArrayType.class::isInstance);
    }

    /** Return the items of a list or an array (0), or the keys (0) or values (1) of a map. */
    TypeUses argument(int index) {
        return with(types.stream().flatMap(type -> argument(type, index)));
    }

    private TypeUses with(Stream<AnnotatedType> others) {
        return new TypeUses(others.flatMap(TypeUses::bounds).toList(), ofArray);
    }

    private static Stream<AnnotatedType> argument(AnnotatedType type, int index) {
        if (type instanceof AnnotatedArrayType array) {
            return Stream.of(array.getAnnotatedGenericComponentType());
        }
        AnnotatedType container = container(type);
        AnnotatedType[] arguments = container instanceof AnnotatedParameterizedType parameterized
                ? parameterized.getAnnotatedActualTypeArguments()
                : new AnnotatedType[0];
        return Arrays.stream(arguments).skip(index).limit(1);
    }

    private static Stream<AnnotatedType> bounds(AnnotatedType type) {
        return type instanceof AnnotatedWildcardType wildcard
                ? Stream.concat(Stream.of(type), Arrays.stream(wildcard.getAnnotatedUpperBounds()))
                : Stream.of(type);
    }

    /** Return the list or map of the JDK that a type is or extends. */
    private static @Nullable AnnotatedType container(AnnotatedType type) {
        Class<?> raw = raw(type.getType());
        if (raw == null || isOfJdk(raw)) {
            return type;
        }
        return Stream.concat(
                        Stream.ofNullable(raw.getAnnotatedSuperclass()), Arrays.stream(raw.getAnnotatedInterfaces()))
                .map(TypeUses::container)
                .filter(AnnotatedParameterizedType.class::isInstance)
                .findFirst()
                .orElse(null);
    }

    /** Return the arguments of classes that are not of the JDK, which can do anything with them. */
    TypeUses otherArguments() {
        return with(types.stream()
                .filter(AnnotatedParameterizedType.class::isInstance)
                .filter(type -> !isOfJdk(raw(type.getType())))
                .flatMap(type -> Arrays.stream(((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments())));
    }

    /** Return all arguments and items. */
    TypeUses arguments() {
        return with(types.stream().flatMap(TypeUses::arguments));
    }

    private static Stream<AnnotatedType> arguments(AnnotatedType type) {
        return type instanceof AnnotatedArrayType array
                ? Stream.of(array.getAnnotatedGenericComponentType())
                : type instanceof AnnotatedParameterizedType parameterized
                        ? Arrays.stream(parameterized.getAnnotatedActualTypeArguments())
                        : Stream.empty();
    }

    private static boolean isOfJdk(@Nullable Class<?> raw) {
        return raw != null && raw.getName().startsWith("java.");
    }

    private static @Nullable Class<?> raw(Type type) {
        return type instanceof Class<?> found
                ? found
                : type instanceof ParameterizedType parameterized ? (Class<?>) parameterized.getRawType() : null;
    }

    /** Return whether this type, or a part of it, has an annotation. */
    boolean hasDeep(Class<? extends Annotation> type) {
        return own(type) != null || !types.isEmpty() && arguments().hasDeep(type);
    }
}
