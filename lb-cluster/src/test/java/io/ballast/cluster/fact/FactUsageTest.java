package io.ballast.cluster.fact;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FactUsageTest {

    private static final FactBound BOUND = new FactBound(2, 20);

    private final FactUsage usage = new FactUsage();

    private Fact add(String key, String value) {
        Fact fact = new Fact(key, value, 1);
        usage.replace(null, fact);
        return fact;
    }

    @Test
    void factsAreCountedForEachPrefix() {
        Fact first = add("a/1", "x");
        add("a/2", "x");
        add("b/1", "x");
        add("plain", "x");
        assertThat(usage.count("a/"::equals)).isEqualTo(2);
        assertThat(usage.count(prefix -> !prefix.equals("a/"))).isEqualTo(2);

        usage.replace(first, new Fact("a/1", "longer", 2));
        assertThat(usage.count("a/"::equals)).isEqualTo(2);
        usage.replace(new Fact("a/1", "longer", 2), null);
        assertThat(usage.count("a/"::equals)).isEqualTo(1);
    }

    @Test
    void theNumberOfFactsIsLimited() {
        Fact first = add("a/1", "x");
        add("a/2", "x");
        assertThat(usage.excess("a/3", "x", null, BOUND)).contains("there are 2 facts a/ (expected: at most 2)");
        assertThat(usage.excess("a/1", "y", first, BOUND)).isEmpty();
        assertThat(usage.excess("b/3", "x", null, BOUND)).isEmpty();
    }

    @Test
    void theSizeOfFactsIsLimited() {
        Fact first = add("a/1", "1234567890");
        assertThat(usage.excess("a/2", "1234", null, BOUND)).isEmpty();
        assertThat(usage.excess("a/2", "12345", null, BOUND))
                .contains("the facts a/ would have 21 bytes (expected: at most 20)");
        assertThat(usage.excess("a/1", "123456789", first, new FactBound(2, 5))).isEmpty();
    }
}
