package io.ballast.dns.dnssec;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Name;
import org.xbill.DNS.TextParseException;

class NextNameTest {

    private static final Name APEX = Name.fromConstantString("example.com.");
    private static final String LONG = "a".repeat(63) + "." + "b".repeat(63) + "." + "c".repeat(63) + ".";

    @Test
    void isFirstNameBelow() {
        assertThat(next("a.example.com.")).isEqualTo(Name.fromConstantString("\\000.a.example.com."));
        assertThat(next("example.com.")).isEqualTo(Name.fromConstantString("\\000.example.com."));
    }

    @Test
    void extendsFirstLabelIfNoLabelFits() throws TextParseException {
        String name = "d".repeat(47) + "." + LONG + "example.com.";
        assertThat((int) Name.fromString(name).length()).isEqualTo(253);

        assertThat(next(name).toString()).startsWith("\\000.");
        assertThat(next("d" + name).toString()).isEqualTo("d".repeat(48) + "\\000." + LONG + "example.com.");
    }

    @Test
    void usesParentIfNothingFits() {
        assertThat(next("d".repeat(49) + "." + LONG + "example.com.").toString())
                .isEqualTo("d".repeat(48) + "e." + LONG + "example.com.");
        assertThat(next("d".repeat(48) + "@." + LONG + "example.com."))
                .isEqualTo(Name.fromConstantString("d".repeat(48) + "[." + LONG + "example.com."));
        assertThat(next("d".repeat(47) + "\\255\\255." + LONG + "example.com."))
                .isEqualTo(Name.fromConstantString("d".repeat(46) + "e." + LONG + "example.com."));
    }

    @Test
    void lastNameIsFollowedByApex() {
        String all = "\\255".repeat(49) + "." + ("\\255".repeat(63) + ".").repeat(3) + "example.com.";

        assertThat(next(all)).isEqualTo(APEX);
    }

    /**
     * Tests random names near the length limit. They consist of few different bytes, so that the cases of all tests
     * above occur.
     */
    @Test
    void followsNameWithinZone() throws IOException {
        long seed = System.nanoTime();
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < 20_000; i++) {
            Name name = randomName(random);
            Name next = next(name);

            assertThat(next.subdomain(APEX)).as("seed %d: %s", seed, name).isTrue();
            assertThat(next.equals(APEX) || next.compareTo(name) > 0)
                    .as("seed %d: %s -> %s", seed, name, next)
                    .isTrue();
        }
    }

    private static Name randomName(SplittableRandom random) throws IOException {
        byte[] wire = new byte[255];
        int total = random.nextInt(200, 256) - APEX.length();
        int at = 0;
        while (at < total) {
            int label = Math.min(random.nextInt(1, 64), total - at - 1);
            if (label == 0) {
                break;
            }
            wire[at] = (byte) label;
            for (int i = 1; i <= label; i++) {
                wire[at + i] = (byte) new int[] {0, '@', 'a', 'z', 255}[random.nextInt(5)];
            }
            at += 1 + label;
        }
        System.arraycopy(APEX.toWire(), 0, wire, at, APEX.length());
        return new Name(Arrays.copyOf(wire, at + APEX.length()));
    }

    private static Name next(String name) {
        return next(Name.fromConstantString(name));
    }

    private static Name next(Name name) {
        byte[] wire = name.toWireCanonical();
        byte[] out = new byte[255];
        int end = NextName.write(wire, wire.length, APEX.length(), out, 0);
        try {
            return new Name(Arrays.copyOf(out, end));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
