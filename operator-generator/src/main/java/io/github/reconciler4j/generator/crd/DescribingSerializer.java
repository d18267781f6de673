package io.github.reconciler4j.generator.crd;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.jsonFormatVisitors.JsonFormatVisitorWrapper;
import com.fasterxml.jackson.databind.jsontype.TypeSerializer;
import com.fasterxml.jackson.databind.ser.ContextualSerializer;
import com.fasterxml.jackson.databind.ser.ResolvableSerializer;
import com.fasterxml.jackson.databind.util.NameTransformer;
import io.github.reconciler4j.generator.GeneratorException;
import java.io.IOException;

/** Writes like another serializer; subclasses describe it. */
abstract class DescribingSerializer extends JsonSerializer<Object>
        implements ContextualSerializer, ResolvableSerializer {

    private final JsonSerializer<Object> serializer;

    @SuppressWarnings("unchecked")
    DescribingSerializer(JsonSerializer<?> serializer) {
        this.serializer = (JsonSerializer<Object>) serializer;
    }

    /** Return a copy for another serializer. */
    abstract DescribingSerializer with(JsonSerializer<?> other);

    final JsonSerializer<Object> serializer() {
        return serializer;
    }

    @Override
    public void resolve(SerializerProvider provider) throws JsonMappingException {
        if (serializer instanceof ResolvableSerializer resolvable) {
            resolvable.resolve(provider);
        }
    }

    @Override
    public JsonSerializer<?> createContextual(SerializerProvider provider, BeanProperty property)
            throws JsonMappingException {
        if (!(serializer instanceof ContextualSerializer aware)) {
            return this;
        }
        try {
            JsonSerializer<?> contextual = aware.createContextual(provider, property);
            return contextual == serializer ? this : with(contextual);
        } catch (JsonMappingException | IllegalArgumentException e) {
            if (property == null || property.getMember() == null) {
                throw e;
            }
            throw new GeneratorException(
                    EffectiveTypes.place(property.getMember()) + " cannot be described: " + e.getMessage(), e);
        }
    }

    @Override
    public void serialize(Object value, JsonGenerator generator, SerializerProvider provider) throws IOException {
        serializer.serialize(value, generator, provider);
    }

    @Override
    public void serializeWithType(
            Object value, JsonGenerator generator, SerializerProvider provider, TypeSerializer typing)
            throws IOException {
        serializer.serializeWithType(value, generator, provider, typing);
    }

    @Override
    public JsonSerializer<Object> unwrappingSerializer(NameTransformer names) {
        return serializer.unwrappingSerializer(names);
    }

    @Override
    public boolean isEmpty(SerializerProvider provider, Object value) {
        return serializer.isEmpty(provider, value);
    }

    @Override
    public void acceptJsonFormatVisitor(JsonFormatVisitorWrapper visitor, JavaType type) throws JsonMappingException {
        serializer.acceptJsonFormatVisitor(visitor, type);
    }
}
