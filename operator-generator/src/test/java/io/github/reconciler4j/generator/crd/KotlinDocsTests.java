package io.github.reconciler4j.generator.crd;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.util.HashMap;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class KotlinDocsTests {

    private static final String SOURCE = """
            @file:JvmName("Things")
            package com.example.things

            import com.example.other.`object`

            /* No KDoc /* nested */ class Commented(val x: Int) */
            const val LIMIT = "a \\" ${if (true) "class Text(val x: Int)" else ""} {"
            val raw = \"""{ class Raw(val x: Int) " \"""
            val brace = '{'

            /** A thing. */
            @Group("example.com") @Version(name = "v1", extra = [1, 2])
            class Thing : CustomResource<ThingSpec, Map<String, (Int) -> Unit>>(), Namespaced

            /**
             * What is wanted,
             * over two lines.
             *
             * It has:
             * - parts, see [Part]
             * * a **bold** [name][String] and a [link](https://example.com)
             *
             * @property size How large
             *   it is.
             * @param color its `color`
             * @constructor not shown
             */
            @Deprecated("class Old(val x: Int)")
            data class ThingSpec @JvmOverloads constructor(
                val size: Int, // a comment
                val color: String? = mapOf<String, Int>("a" to 1).keys.first { it.isNotEmpty() },
                /** The parts. */
                @field:Size(max = 3) @get:[JsonProperty("parts") Other] private val parts: List<Map<String, Part>> = listOf(),
                /** No property. */
                plain: String,
            ) : Base(LIMIT), Named by Names(), Comparable<ThingSpec> {

                /** Set later. */
                lateinit var later: String
                    private set

                /** Of another class. */
                val String.extension: Int get() = length

                /** From a getter. */
                fun getComputed(): String = Part::class.java.name

                init {
                    class Local(val x: Int)
                }

                companion object {
                    /** A constant. */
                    const val MAX = 3
                }

                /** A part. */
                class Part<T : Any>(
                    /** Whether it is gone. */
                    val isGone: Boolean,
                    val undocumented: Int,
                )

                val last = object : Runnable { override fun run() {} }
            }

            /** Behind a class without a body. */
            internal sealed interface Shape { /** Its name. */ val name: String }

            enum class Color(/** The code. */ val code: Int) { /** Red. */ RED(1), /** Blue. */ BLUE(2); val other = 1 }
            """;

    private static Map<String, String> read(String source) {
        Map<String, String> texts = new HashMap<>();
        KotlinDocs.read(source, texts::putIfAbsent);
        return texts;
    }

    @Test
    void readWhenSourceHasKDocFindsClassesAndProperties() {
        Map<String, String> texts = read(SOURCE);
        texts.keySet().removeIf(name -> name.endsWith("()") && texts.containsKey(name.replace("()", "")));

        assertThat(texts)
                .containsOnly(
                        entry("com.example.things.Thing", "A thing."),
                        entry(
                                "com.example.things.ThingSpec",
                                "What is wanted, over two lines.\n\nIt has:\n- parts, see Part\n- a bold name and a link"),
                        entry("com.example.things.ThingSpec#size", "How large it is."),
                        entry("com.example.things.ThingSpec#color", "its color"),
                        entry("com.example.things.ThingSpec#parts", "The parts."),
                        entry("com.example.things.ThingSpec#later", "Set later."),
                        entry("com.example.things.ThingSpec#getComputed()", "From a getter."),
                        entry("com.example.things.ThingSpec$Part", "A part."),
                        entry("com.example.things.ThingSpec$Part#isGone", "Whether it is gone."),
                        entry("com.example.things.Shape", "Behind a class without a body."),
                        entry("com.example.things.Shape#name", "Its name."),
                        entry("com.example.things.Color#code", "The code."));
    }

    @Test
    void readWhenPropertyIsNamedLikeItsGetterFindsTheGetter() {
        assertThat(read("/** A. */ class A(/** Gone. */ val isGone: Boolean)")).containsEntry("A#isGone()", "Gone.");
    }

    @Test
    void readWhenSourceIsCutAnywhereEnds() {
        for (int end = 0; end < SOURCE.length(); end++) {
            assertThat(read(SOURCE.substring(0, end))).isNotNull();
            assertThat(read(SOURCE.substring(end))).isNotNull();
        }
    }

    @Test
    void readWhenSourceIsShuffledEnds() {
        SplittableRandom random = new SplittableRandom(7);
        for (int run = 0; run < 500; run++) {
            char[] signs = SOURCE.toCharArray();
            for (int i = 0; i < 40; i++) {
                signs[random.nextInt(signs.length)] = "{}()<>\"'`@$*/:.,".charAt(random.nextInt(16));
            }
            assertThat(read(new String(signs))).isNotNull();
        }
    }
}
