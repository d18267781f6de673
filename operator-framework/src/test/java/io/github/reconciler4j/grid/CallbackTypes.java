package io.github.reconciler4j.grid;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import io.github.reconciler4j.fixtures.ModuleClasses;
import java.lang.reflect.Executable;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.lang.reflect.Parameter;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.stream.Stream;

/**
 * The places where the public API takes code of the user: {@code Type#method} for each method of an interface, and
 * {@code Type#method(Function)} for each parameter that is a function of the JDK.
 */
final class CallbackTypes {

    private CallbackTypes() {}

    /** All of them, those of interfaces that the framework implements included. */
    static Set<String> all() {
        Set<String> found = new TreeSet<>();
        for (Class<?> type : publicTypes()) {
            if (type.isInterface() && !type.isAnnotation()) {
                addMethods(type, found);
            }
            Stream.<Executable>concat(
                            Arrays.stream(type.getDeclaredMethods()), Arrays.stream(type.getDeclaredConstructors()))
                    .filter(CallbackTypes::isApi)
                    .forEach(executable -> addFunctions(type, executable, found));
        }
        return found;
    }

    private static List<Class<?>> publicTypes() {
        return new ClassFileImporter()
                .importLocations(ModuleClasses.locations()).stream()
                        .filter(type -> !type.getPackageName().contains(".internal"))
                        .filter(CallbackTypes::isPublic)
                        .<Class<?>>map(JavaClass::reflect)
                        .toList();
    }

    private static boolean isPublic(JavaClass type) {
        return type.getModifiers().contains(JavaModifier.PUBLIC)
                && type.getEnclosingClass().map(CallbackTypes::isPublic).orElse(true);
    }

    private static boolean isApi(Executable executable) {
        return !executable.isSynthetic()
                && (Modifier.isPublic(executable.getModifiers()) || Modifier.isProtected(executable.getModifiers()));
    }

    private static void addMethods(Class<?> type, Set<String> found) {
        for (Method method : type.getDeclaredMethods()) {
            if (isApi(method) && !Modifier.isStatic(method.getModifiers())) {
                found.add(nameOf(type) + "#" + method.getName());
            }
        }
    }

    private static void addFunctions(Class<?> type, Executable executable, Set<String> found) {
        String name = executable instanceof Method ? executable.getName() : "<init>";
        for (Parameter parameter : executable.getParameters()) {
            Class<?> taken = parameter.getType();
            boolean isFunction = taken.getPackageName().equals("java.util.function")
                    || taken == Callable.class
                    || taken == Runnable.class;
            if (isFunction) {
                found.add(nameOf(type) + "#" + name + "(" + taken.getSimpleName() + ")");
            }
        }
    }

    /** The name without the package; nested types keep their owner. */
    static String nameOf(Class<?> type) {
        return type.getName().substring(type.getPackageName().length() + 1).replace('$', '.');
    }
}
