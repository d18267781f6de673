package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.introspect.BeanPropertyDefinition;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import com.fasterxml.jackson.databind.ser.std.StringSerializer;
import io.fabric8.kubernetes.api.model.apiextensions.v1.JSONSchemaProps;
import io.github.reconciler4j.support.KubernetesJson;
import java.lang.annotation.Annotation;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Remembers which member of a class each property of a schema comes from. fabric8's generator keeps no such link, but it
 * copies the description that Jackson finds for a member into the schema: so this introspector gives every member a mark
 * as its description, and the {@link SchemaRefiner} replaces the marks.
 */
final class MemberMarks extends NopAnnotationIntrospector {

    private static final long serialVersionUID = 1L;

    private static final String PREFIX = "member:";

    /** No class has a property of this name. */
    private static final String CLASS = "\0class ";

    private final transient Map<String, Member> members = new HashMap<>();
    private final transient Map<String, Class<?>> customized = new HashMap<>();
    private final transient Set<Class<?>> open = new HashSet<>();
    private final AnnotationIntrospector others;

    private MemberMarks(AnnotationIntrospector others) {
        this.others = others;
    }

    /**
     * A member, and what it is in the schema.
     *
     * @param description the description that its annotations give it
     * @param type the type that is written for it
     * @param hidden annotations that do not count here, because other subtypes do not have them
     */
    record Member(
            AnnotatedMember member,
            @Nullable String description,
            JavaType type,
            Set<Class<? extends Annotation>> hidden) {

        /** Return an annotation, null if it does not have it, or if it does not count. */
        <A extends Annotation> @Nullable A annotation(Class<A> annotation) {
            return isHidden(annotation) ? null : member.getAnnotation(annotation);
        }

        boolean isHidden(Class<? extends Annotation> annotation) {
            return hidden.contains(annotation);
        }
    }

    /** Install the marks in a mapper. */
    static MemberMarks install(ObjectMapper mapper) {
        AnnotationIntrospector others = mapper.getSerializationConfig().getAnnotationIntrospector();
        MemberMarks marks = new MemberMarks(others);
        mapper.setAnnotationIntrospector(AnnotationIntrospector.pair(marks, others));
        return marks;
    }

    @Override
    public @Nullable String findPropertyDescription(Annotated annotated) {
        String description = others.findPropertyDescription(annotated);
        if (!(annotated instanceof AnnotatedMember member)) {
            return description;
        }
        String mark = PREFIX + members.size();
        members.put(mark, new Member(member, description, member.getType(), Set.of()));
        return mark;
    }

    /**
     * Return whether an object of a Kotlin class cannot be created without a property: its constructor has neither a default
     * for it, nor takes null. Without the module of Jackson for Kotlin nothing is known.
     */
    static boolean isNeeded(AnnotatedMember member) {
        Class<?> type = member.getDeclaringClass();
        if (!isKotlin(type)) {
            return false;
        }
        DeserializationConfig config = KubernetesJson.mapper().getDeserializationConfig();
        return config.introspect(config.constructType(type)).findProperties().stream()
                .filter(property -> property.getGetter() != null)
                .filter(property -> property.getGetter().getMember().equals(member.getMember()))
                .map(BeanPropertyDefinition::getConstructorParameter)
                .filter(Objects::nonNull)
                .anyMatch(parameter ->
                        Boolean.TRUE.equals(config.getAnnotationIntrospector().hasRequiredMarker(parameter)));
    }

    /** Return whether the compiler of Kotlin has made a class. */
    static boolean isKotlin(Class<?> type) {
        return Arrays.stream(type.getAnnotations())
                .anyMatch(annotation -> annotation.annotationType().getName().equals("kotlin.Metadata"));
    }

    /** Remember how a marked member is written. */
    void write(@Nullable String mark, JavaType type) {
        Member member = find(mark);
        if (mark != null && member != null) {
            members.put(mark, new Member(member.member(), member.description(), type, Set.of()));
        }
    }

    /** Return another mark for a member, for a place in which some of its annotations do not count. */
    @Nullable
    String without(@Nullable String mark, Set<Class<? extends Annotation>> hidden) {
        Member member = find(mark);
        if (member == null) {
            return mark;
        }
        String other = PREFIX + members.size();
        members.put(other, new Member(member.member(), member.description(), member.type(), hidden));
        return other;
    }

    /** Return the member that a description marks, null if it marks none. */
    @Nullable
    Member find(@Nullable String description) {
        return description == null ? null : members.get(description);
    }

    /** Describes the properties of an object. */
    interface Description {

        void accept(JsonFormatVisitorWrapper visitor) throws JsonMappingException;
    }

    /**
     * Describe an object to fabric8's generator. It would run the customizers of the class on a schema that has marks and is not
     * complete: so it sees a class without customizers, and a property that says which class it is, until {@link #takeCustomized}.
     */
    void describe(JavaType type, JsonFormatVisitorWrapper visitor, Description description)
            throws JsonMappingException {
        Class<?> raw = type.getRawClass();
        if (!Customizers.has(raw) || !open.add(raw)) {
            description.accept(visitor);
            return;
        }
        try {
            String name = CLASS + raw.getName();
            customized.put(name, raw);
            description.accept(new JsonFormatVisitorWrapper.Base(visitor.getProvider()) {
                @Override
                public JsonObjectFormatVisitor expectObjectFormat(JavaType ignored) throws JsonMappingException {
                    SerializerProvider provider = visitor.getProvider();
                    JsonObjectFormatVisitor object =
                            visitor.expectObjectFormat(provider.constructType(Customizers.Later.class));
                    object.optionalProperty(SubtypesSerializer.property(
                            name, provider.constructType(String.class), new StringSerializer(), provider));
                    return object;
                }
            });
        } finally {
            open.remove(raw);
        }
    }

    /** Return the class whose customizers are still to be run on a schema, and forget it; null without one. */
    @Nullable
    Class<?> takeCustomized(JSONSchemaProps schema) {
        for (String name : List.copyOf(schema.getProperties().keySet())) {
            if (name.startsWith(CLASS)) {
                schema.getProperties().remove(name);
                return customized.get(name);
            }
        }
        return null;
    }

    /** Return where a class declares the property of a schema: by fields, those of the superclass first. */
    int position(JSONSchemaProps schema) {
        Member member = find(schema.getDescription());
        if (member == null) {
            return Integer.MAX_VALUE;
        }
        Class<?> type = member.member().getDeclaringClass();
        String name = member.member().getName();
        List<String> fields =
                Arrays.stream(type.getDeclaredFields()).map(Field::getName).toList();
        int index = Math.max(fields.indexOf(name), fields.indexOf(property(name)));
        return depth(type) * 10_000 + (index < 0 ? 9_999 : index);
    }

    private static int depth(Class<?> type) {
        Class<?> parent = type.getSuperclass();
        return parent == null ? 0 : 1 + depth(parent);
    }

    /** Return the property that a getter belongs to. */
    static String property(String getter) {
        String name =
                getter.startsWith("get") ? getter.substring(3) : getter.startsWith("is") ? getter.substring(2) : getter;
        return name.isEmpty() ? getter : name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1);
    }
}
