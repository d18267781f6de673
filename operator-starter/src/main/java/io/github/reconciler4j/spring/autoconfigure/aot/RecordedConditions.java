package io.github.reconciler4j.spring.autoconfigure.aot;

import io.github.reconciler4j.spring.autoconfigure.aot.ConditionInputs.Requirement;
import io.github.reconciler4j.spring.autoconfigure.aot.ConditionRecorder.Reader;
import java.io.IOException;
import java.lang.annotation.Annotation;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotContribution;
import org.springframework.beans.factory.aot.BeanFactoryInitializationAotProcessor;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionEvaluationReport;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperties;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperties;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.core.annotation.MergedAnnotation;
import org.springframework.core.annotation.MergedAnnotations;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.core.type.AnnotationMetadata;
import org.springframework.core.type.classreading.MetadataReaderFactory;
import org.springframework.core.type.classreading.SimpleMetadataReaderFactory;
import org.springframework.util.StringUtils;

/** Writes what the conditions of an application depend on beside what Spring generates of it ahead of time. */
final class RecordedConditions implements BeanFactoryInitializationAotProcessor {

    RecordedConditions() {}

    @Override
    public @Nullable BeanFactoryInitializationAotContribution processAheadOfTime(
            ConfigurableListableBeanFactory beans) {
        Environment environment =
                beans.getBean(ConfigurableApplicationContext.ENVIRONMENT_BEAN_NAME, Environment.class);
        ConditionRecorder recorder =
                environment instanceof ConfigurableEnvironment all ? ConditionRecorder.of(all) : null;
        if (recorder == null) {
            return null;
        }
        String location = ConditionInputs.location(recorder.main());
        String text = inputs(recorder, requirements(beans)).text();
        return (context, code) -> {
            context.getGeneratedFiles().addResourceFile(location, text);
            context.getRuntimeHints().resources().registerPattern(location);
        };
    }

    private static ConditionInputs inputs(ConditionRecorder recorder, Map<String, Set<Requirement>> requirements) {
        ConditionInputs.Builder inputs = new ConditionInputs.Builder(recorder.before());
        recorder.readers().forEach((name, readers) -> {
            Set<Requirement> required = requirements.getOrDefault(name, Set.of());
            if (readers.equals(EnumSet.of(Reader.ANNOTATION)) && !required.isEmpty()) {
                required.forEach(requirement -> inputs.add(name, requirement));
            } else if (readers.equals(EnumSet.of(Reader.MANAGEMENT_PORT))) {
                inputs.addManagementPort(name);
            } else {
                inputs.add(name, null);
            }
        });
        return inputs.build();
    }

    /** The report names the classes and methods with conditions. */
    private static Map<String, Set<Requirement>> requirements(ConfigurableListableBeanFactory beans) {
        Map<String, Set<Requirement>> found = new LinkedHashMap<>();
        MetadataReaderFactory classes = new SimpleMetadataReaderFactory(beans.getBeanClassLoader());
        for (String source : ConditionEvaluationReport.get(beans)
                .getConditionAndOutcomesBySource()
                .keySet()) {
            String[] parts = source.split("#", 2);
            try {
                AnnotationMetadata type = classes.getMetadataReader(parts[0]).getAnnotationMetadata();
                Stream<? extends AnnotatedTypeMetadata> elements = parts.length == 1
                        ? Stream.of(type)
                        : type.getDeclaredMethods().stream()
                                .filter(method -> method.getMethodName().equals(parts[1]));
                elements.forEach(element -> add(element.getAnnotations(), found));
            } catch (IOException e) {
                throw new IllegalStateException("The class " + parts[0] + " of a condition cannot be read", e);
            }
        }
        return found;
    }

    private static void add(MergedAnnotations annotations, Map<String, Set<Requirement>> found) {
        Stream.of(
                        annotations.stream(ConditionalOnProperty.class),
                        annotations.stream(ConditionalOnBooleanProperty.class),
                        repeated(annotations, ConditionalOnProperties.class, ConditionalOnProperty.class),
                        repeated(annotations, ConditionalOnBooleanProperties.class, ConditionalOnBooleanProperty.class))
                .flatMap(each -> each)
                .forEach(annotation -> names(annotation)
                        .forEach(name -> found.computeIfAbsent(name, key -> new LinkedHashSet<>())
                                .add(requirement(annotation))));
    }

    private static <A extends Annotation> Stream<MergedAnnotation<A>> repeated(
            MergedAnnotations annotations, Class<? extends Annotation> container, Class<A> type) {
        return annotations.stream(container)
                .flatMap(each -> Stream.of(each.getAnnotationArray(MergedAnnotation.VALUE, type)));
    }

    private static Stream<String> names(MergedAnnotation<?> annotation) {
        String prefix = annotation.getString("prefix").trim();
        String start = prefix.isEmpty() || prefix.endsWith(".") ? prefix : prefix + ".";
        String[] value = annotation.getStringArray("value");
        return Stream.of(value.length > 0 ? value : annotation.getStringArray("name"))
                .map(name -> start + name);
    }

    private static Requirement requirement(MergedAnnotation<?> annotation) {
        String havingValue =
                annotation.getValue("havingValue").map(Object::toString).orElse("");
        return new Requirement(
                StringUtils.hasLength(havingValue) ? havingValue : "", annotation.getBoolean("matchIfMissing"));
    }
}
