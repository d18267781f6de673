package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.annotation.JsonRawValue;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.JsonSerializable;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.type.TypeFactory;
import com.fasterxml.jackson.databind.util.Converter;
import io.fabric8.crd.generator.annotation.PreserveUnknownFields;
import io.fabric8.crd.generator.annotation.SchemaFrom;
import io.github.reconciler4j.generator.GeneratorException;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The types whose values Jackson writes in place of those that a class declares: what converters return, the type of
 * {@code @JsonValue}, what {@code @JsonSerialize(as)} and {@code @JsonDeserialize(as)} name, and what a serializer makes
 * of sample values.
 */
final class EffectiveTypes {

    private final DeserializationConfig reading;
    private final ObjectMapper mapper;
    private final List<String> warnings;

    EffectiveTypes(ObjectMapper mapper, List<String> warnings) {
        this.mapper = mapper;
        this.reading = mapper.getDeserializationConfig();
        this.warnings = warnings;
    }

    /** Return whether annotations of a property name its serializer, or one for its content. */
    static boolean hasOwnSerializer(SerializerProvider provider, AnnotatedMember member) {
        AnnotationIntrospector annotations = provider.getAnnotationIntrospector();
        return annotations.findSerializer(member) != null
                || annotations.findContentSerializer(member) != null
                || annotations.findSerializationConverter(member) != null
                || annotations.findSerializationContentConverter(member) != null;
    }

    /** Return the type that is written for a property. */
    JavaType ofProperty(BeanPropertyWriter property, SerializerProvider provider) throws JsonMappingException {
        AnnotationIntrospector annotations = provider.getAnnotationIntrospector();
        AnnotatedMember member = property.getMember();
        JavaType declared = property.getSerializationType();
        JavaType type = declared == null ? property.getType() : declared;
        String place = place(member);
        if (isDescribed(member)) {
            return type;
        }
        if (member.hasAnnotation(JsonRawValue.class)) {
            throw new GeneratorException(
                    place + " has @JsonRawValue, so it can be anything: describe it with @SchemaFrom(type"
                            + " = ...), or permit all fields with @PreserveUnknownFields");
        }
        Converter<?, ?> converter = converter(provider, member, annotations.findSerializationConverter(member));
        if (converter != null) {
            return of(converter.getOutputType(provider.getTypeFactory()), provider, place);
        }
        Object own = annotations.findSerializer(member);
        if (own != null) {
            JsonSerializer<?> serializer = provider.serializerInstance(member, own);
            return serializer == null ? type : written(type, serializer, provider, place);
        }
        JavaType read = annotations.refineDeserializationType(reading, member, type);
        JavaType content = read.getContentType();
        Converter<?, ?> items = converter(provider, member, annotations.findSerializationContentConverter(member));
        Object itemSerializer = annotations.findContentSerializer(member);
        if (content != null && items != null) {
            return withContent(read, of(items.getOutputType(provider.getTypeFactory()), provider, place), provider);
        }
        if (content != null && itemSerializer != null) {
            JsonSerializer<?> serializer = provider.serializerInstance(member, itemSerializer);
            JavaType written = serializer == null ? content : written(content, serializer, provider, place);
            return withContent(read, written, provider);
        }
        return of(read, provider, place);
    }

    /** Its schema is the user's own. */
    private static boolean isDescribed(AnnotatedMember member) {
        return member.hasAnnotation(SchemaFrom.class) || member.hasAnnotation(PreserveUnknownFields.class);
    }

    private static @Nullable Converter<?, ?> converter(
            SerializerProvider provider, AnnotatedMember member, @Nullable Object declared)
            throws JsonMappingException {
        return declared == null ? null : provider.converterInstance(member, declared);
    }

    /** Return the type that is written for a value of a type in any place. */
    private JavaType of(JavaType type, SerializerProvider provider, String place) throws JsonMappingException {
        TypeFactory types = provider.getTypeFactory();
        Class<?> raw = type.getRawClass();
        if (raw == Properties.class) {
            return types.constructMapType(Map.class, String.class, String.class);
        }
        JavaType content = type.getContentType();
        if (content == null) {
            return isForeign(raw) ? type : ofClass(type, provider, place);
        }
        if (type.isArrayType() && content.isPrimitive()) {
            boolean isText = raw == byte[].class || raw == char[].class;
            return isText ? type : types.constructArrayType(boxed(content.getRawClass()));
        }
        if (content.getRawClass() == Object.class && !type.isMapLikeType()) {
            return withContent(type, types.constructType(JsonNode.class), provider);
        }
        return withContent(type, of(content, provider, place), provider);
    }

    private static JavaType withContent(JavaType container, JavaType content, SerializerProvider provider) {
        if (content.equals(container.getContentType())) {
            return container;
        }
        TypeFactory types = provider.getTypeFactory();
        if (container.isMapLikeType()) {
            return types.constructMapType(Map.class, container.getKeyType(), content);
        }
        return container.isArrayType()
                ? types.constructArrayType(content)
                : types.constructCollectionType(List.class, content);
    }

    private static Class<?> boxed(Class<?> primitive) {
        return java.lang.invoke.MethodType.methodType(primitive).wrap().returnType();
    }

    /** Types of the JDK and of fabric8 are written as they are. */
    private static boolean isForeign(Class<?> raw) {
        return raw.isPrimitive()
                || raw.getName().startsWith("java.")
                || raw.getName().startsWith("io.fabric8.")
                || JsonNode.class.isAssignableFrom(raw);
    }

    private JavaType ofClass(JavaType type, SerializerProvider provider, String place) throws JsonMappingException {
        SerializationConfig config = provider.getConfig();
        AnnotationIntrospector annotations = config.getAnnotationIntrospector();
        BeanDescription bean = config.introspect(type);
        if (type.getRawClass().isAnnotationPresent(PreserveUnknownFields.class)) {
            return type;
        }
        if (annotations.findSerializer(bean.getClassInfo()) != null
                || JsonSerializable.class.isAssignableFrom(type.getRawClass())) {
            return written(type, provider.findValueSerializer(type), provider, place);
        }
        Converter<Object, Object> converter = bean.findSerializationConverter();
        if (converter != null) {
            return of(converter.getOutputType(provider.getTypeFactory()), provider, place);
        }
        AnnotatedMember value = bean.findJsonValueAccessor();
        if (value != null && !type.isEnumType()) {
            return of(value.getType(), provider, place);
        }
        JavaType refined = annotations.refineSerializationType(config, bean.getClassInfo(), type);
        refined = annotations.refineDeserializationType(reading, bean.getClassInfo(), refined);
        return refined.equals(type) ? type : of(refined, provider, place);
    }

    /** Return the type of what a serializer writes, which is known only from samples. */
    private JavaType written(JavaType type, JsonSerializer<?> serializer, SerializerProvider provider, String place)
            throws JsonMappingException {
        Samples samples = new Samples(mapper);
        WrittenForm form = WrittenForm.of(serializer, samples.partial(type), provider);
        String writer = serializer.getClass().getName();
        if (form.isEmpty()) {
            warnings.add(
                    place + " is written by " + writer + ", of which no sample could be made, so its schema permits"
                            + " anything: describe it with @SchemaFrom");
            return provider.getTypeFactory().constructType(JsonNode.class);
        }
        JavaType written = form.type(provider.getTypeFactory());
        if (written == null) {
            throw new GeneratorException(place + " is written by " + writer + " as " + String.join(" or ", form.kinds())
                    + ", whose fields are not known: describe them with @SchemaFrom(type = ...), or permit all with"
                    + " @PreserveUnknownFields");
        }
        return written;
    }

    /** Return the name of a property in messages. */
    static String place(AnnotatedMember member) {
        return "'" + MemberMarks.property(member.getName()) + "' of "
                + member.getDeclaringClass().getName();
    }
}
