package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.PropertyMetadata;
import com.fasterxml.jackson.databind.PropertyName;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.introspect.AnnotatedMember;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonObjectFormatVisitor;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import com.fasterxml.jackson.databind.ser.impl.UnknownSerializer;
import com.fasterxml.jackson.databind.ser.std.BeanSerializerBase;
import com.fasterxml.jackson.databind.type.ArrayType;
import io.fabric8.generator.annotation.Default;
import io.github.reconciler4j.generator.GeneratorException;
import java.lang.annotation.Annotation;
import java.lang.reflect.Modifier;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Makes the serializers of a mapper describe to visitors what they write. Jackson's own description, from which fabric8's
 * generator makes schemas, ignores subtypes and converters, and is wrong for many types of the JDK. Only for mappers that
 * describe.
 */
final class WrittenTypes extends BeanSerializerModifier {

    private static final long serialVersionUID = 1L;

    private final transient EffectiveTypes types;
    private final transient MemberMarks marks;

    WrittenTypes(EffectiveTypes types, MemberMarks marks) {
        this.types = types;
        this.marks = marks;
    }

    @Override
    public List<BeanPropertyWriter> changeProperties(
            SerializationConfig config, BeanDescription bean, List<BeanPropertyWriter> properties) {
        properties.replaceAll(property -> property.isUnwrapping() ? property : new Property(property));
        return properties;
    }

    @Override
    public JsonSerializer<?> modifySerializer(
            SerializationConfig config, BeanDescription bean, JsonSerializer<?> serializer) {
        JavaType type = bean.getType();
        if (config.getAnnotationIntrospector().findTypeResolver(config, bean.getClassInfo(), type) != null) {
            return new SubtypesSerializer(serializer, null, null, marks);
        }
        if (!SampleLeaves.of(type).isEmpty() && type.getRawClass() != Object.class) {
            return leaf(type, serializer);
        }
        if (serializer instanceof BeanSerializerBase && Customizers.has(type.getRawClass())) {
            return new Customized(serializer);
        }
        return serializer instanceof UnknownSerializer
                        && type.getRawClass() != Object.class
                        && !Modifier.isAbstract(type.getRawClass().getModifiers())
                ? new Empty(serializer)
                : serializer;
    }

    @Override
    public JsonSerializer<?> modifyEnumSerializer(
            SerializationConfig config, JavaType type, BeanDescription bean, JsonSerializer<?> serializer) {
        return leaf(type, serializer);
    }

    @Override
    public JsonSerializer<?> modifyArraySerializer(
            SerializationConfig config, ArrayType type, BeanDescription bean, JsonSerializer<?> serializer) {
        return SampleLeaves.of(type).isEmpty() ? serializer : leaf(type, serializer);
    }

    /** Those of fabric8 describe themselves, or are known to its generator. */
    private static JsonSerializer<?> leaf(JavaType type, JsonSerializer<?> serializer) {
        boolean isForeign = type.getRawClass().getName().startsWith("io.fabric8.")
                || type.getRawClass().getName().startsWith("com.fasterxml.");
        return isForeign && !type.isEnumType() ? serializer : new Leaf(type, serializer);
    }

    /** Describes an object without fields. */
    private static final class Empty extends DescribingSerializer {

        Empty(JsonSerializer<?> serializer) {
            super(serializer);
        }

        @Override
        Empty with(JsonSerializer<?> serializer) {
            return new Empty(serializer);
        }

        @Override
        public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type)
                throws JsonMappingException {
            visitor.expectObjectFormat(type);
        }
    }

    /** Describes an object of a class with customizers. */
    private final class Customized extends DescribingSerializer {

        Customized(JsonSerializer<?> serializer) {
            super(serializer);
        }

        @Override
        Customized with(JsonSerializer<?> serializer) {
            return new Customized(serializer);
        }

        @Override
        public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type)
                throws JsonMappingException {
            marks.describe(type, visitor, seen -> super.acceptJsonFormatVisitor(seen, type));
        }
    }

    /** Describes what becomes of sample values. */
    private static final class Leaf extends DescribingSerializer {

        private final JavaType written;

        Leaf(JavaType written, JsonSerializer<?> serializer) {
            super(serializer);
            this.written = written;
        }

        @Override
        Leaf with(JsonSerializer<?> serializer) {
            return new Leaf(written, serializer);
        }

        @Override
        public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type)
                throws JsonMappingException {
            WrittenForm form = WrittenForm.of(serializer(), SampleLeaves.of(written), visitor.getProvider());
            if (form.isEmpty()) {
                super.acceptJsonFormatVisitor(visitor, type);
            } else {
                form.describe(visitor, written, serializer());
            }
        }
    }

    /** Describes a property by the type that is written for it. */
    private final class Property extends BeanPropertyWriter {

        private static final long serialVersionUID = 1L;

        Property(BeanPropertyWriter original) {
            super(original);
        }

        private Property(BeanPropertyWriter original, PropertyName name) {
            super(original, name);
        }

        @Override
        protected BeanPropertyWriter _new(PropertyName name) {
            return new Property(this, name);
        }

        @Override
        public void depositSchemaProperty(JsonObjectFormatVisitor visitor, SerializerProvider provider) {
            try {
                deposit(visitor, provider);
            } catch (SubtypesSerializer.Undescribable | IllegalArgumentException | JsonMappingException e) {
                throw new GeneratorException(
                        EffectiveTypes.place(getMember()) + " cannot be described: " + e.getMessage(), e);
            }
        }

        private void deposit(JsonObjectFormatVisitor visitor, SerializerProvider provider) throws JsonMappingException {
            AnnotatedMember member = getMember();
            JavaType type = types.ofProperty(this, provider);
            JsonSerializer<?> serializer = provider.findValueSerializer(type);
            boolean isObject = serializer instanceof BeanSerializerBase
                    || serializer instanceof SubtypesSerializer
                    || serializer instanceof Customized;
            if (!isObject && !EffectiveTypes.hasOwnSerializer(provider, member)) {
                serializer = provider.findValueSerializer(type, this);
            }
            if (hasNoTypeId(provider)) {
                serializer = withoutTypeId(type, serializer, provider);
            }
            TypeSerializer typing = ownTyping(provider);
            SubtypesSerializer subtypes =
                    typing == null ? null : new SubtypesSerializer(serializer, typing, member, marks);
            Described described = new Described(this, type, subtypes == null ? serializer : subtypes);
            marks.write(described.mark(), type);
            visitor.optionalProperty(described);
            if (subtypes != null) {
                subtypes.describeOutside(visitor, type, provider);
            }
        }

        /** Return whether an annotation of the property leaves out the type id that its class has elsewhere. */
        private boolean hasNoTypeId(SerializerProvider provider) {
            JsonTypeInfo.Value info =
                    provider.getAnnotationIntrospector().findPolymorphicTypeInfo(provider.getConfig(), getMember());
            return info != null && info.getIdType() == JsonTypeInfo.Id.NONE;
        }

        private JsonSerializer<?> withoutTypeId(
                JavaType type, JsonSerializer<?> serializer, SerializerProvider provider) throws JsonMappingException {
            JavaType content = type;
            while (content.getContentType() != null) {
                content = content.getContentType();
            }
            if (content != type && provider.findTypeSerializer(content) != null) {
                throw new SubtypesSerializer.Undescribable(
                        "without type ids, the items of "
                                + content.getRawClass().getName()
                                + " have no schema: remove @JsonTypeInfo(use = NONE), or describe them with @SchemaFrom(type = ...)");
            }
            return serializer instanceof SubtypesSerializer subtypes ? subtypes.serializer() : serializer;
        }

        /** Return how the type id is written if annotations of the property say so, else null. */
        private @Nullable TypeSerializer ownTyping(SerializerProvider provider) {
            boolean isOwn = !getType().isContainerType()
                    && provider.getAnnotationIntrospector()
                                    .findPropertyTypeResolver(provider.getConfig(), getMember(), getType())
                            != null;
            return isOwn ? getTypeSerializer() : null;
        }
    }

    /** A property as visitors see it. */
    static final class Described extends BeanPropertyWriter {

        private static final long serialVersionUID = 1L;

        private final JavaType type;
        private final transient Set<Class<? extends Annotation>> hidden;
        private final @Nullable String mark;

        Described(BeanPropertyWriter original, JavaType type, @Nullable JsonSerializer<?> serializer) {
            this(original, type, serializer, Set.of(), original.getMetadata().getDescription());
        }

        @SuppressWarnings("unchecked")
        private Described(
                BeanPropertyWriter original,
                JavaType type,
                @Nullable JsonSerializer<?> serializer,
                Set<Class<? extends Annotation>> hidden,
                @Nullable String mark) {
            super(original);
            this.type = type;
            this.hidden = hidden;
            this.mark = mark;
            _serializer = (JsonSerializer<Object>) serializer;
        }

        /** Return a copy with another mark that seems not to have some annotations. */
        Described without(Set<Class<? extends Annotation>> annotations, @Nullable String other) {
            return new Described(this, type, getSerializer(), annotations, other);
        }

        @Nullable
        String mark() {
            return mark;
        }

        @Override
        public PropertyMetadata getMetadata() {
            PropertyMetadata marked = super.getMetadata().withDescription(mark);
            return hidden.contains(Default.class) ? marked.withDefaultValue(null) : marked;
        }

        @Override
        public JavaType getType() {
            return type;
        }

        @Override
        public <A extends Annotation> @Nullable A getAnnotation(Class<A> annotation) {
            return hidden.contains(annotation) ? null : super.getAnnotation(annotation);
        }
    }
}
