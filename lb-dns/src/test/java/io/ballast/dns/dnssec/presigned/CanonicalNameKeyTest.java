package io.ballast.dns.dnssec.presigned;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.Name;

class CanonicalNameKeyTest {

    private static final byte[] BYTES = {0, 1, 2, '*', '-', 'a', 'b', (byte) 0xff};
    private static final Name APEX = Name.fromConstantString("example.");

    private final CanonicalNameKey keys = new CanonicalNameKey();

    private byte[] key(Name name) {
        byte[] wire = name.toWireCanonical();
        byte[] key = new byte[CanonicalNameKey.MAX_BYTES];
        return Arrays.copyOf(key, keys.write(wire, 0, wire.length, APEX.length(), key));
    }

    private static Name name(SplittableRandom random) {
        int labels = random.nextInt(4);
        byte[] wire = new byte[64];
        int at = 0;
        for (int i = 0; i < labels; i++) {
            int length = 1 + random.nextInt(3);
            wire[at++] = (byte) length;
            for (int j = 0; j < length; j++) {
                wire[at++] = BYTES[random.nextInt(BYTES.length)];
            }
        }
        byte[] apex = APEX.toWire();
        System.arraycopy(apex, 0, wire, at, apex.length);
        try {
            return new Name(Arrays.copyOf(wire, at + apex.length));
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void keysFollowOrderOfRfc4034() {
        // The example of RFC 4034 section 6.1, in zone "example".
        List<Name> names = List.of(
                Name.fromConstantString("example."),
                Name.fromConstantString("a.example."),
                Name.fromConstantString("yljkjljk.a.example."),
                Name.fromConstantString("Z.a.example."),
                Name.fromConstantString("zABC.a.EXAMPLE."),
                Name.fromConstantString("z.example."),
                Name.fromConstantString("\\001.z.example."),
                Name.fromConstantString("*.z.example."),
                Name.fromConstantString("\\200.z.example."));

        assertThat(names.stream().map(this::key)).isSortedAccordingTo(Arrays::compareUnsigned);
    }

    @Test
    void keyOrderMatchesNameOrder() {
        SplittableRandom random = new SplittableRandom(1);
        List<Name> names = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            names.add(name(random));
        }
        for (Name one : names) {
            for (Name other : names) {
                assertThat(Integer.signum(Arrays.compareUnsigned(key(one), key(other))))
                        .as("%s and %s", one, other)
                        .isEqualTo(Integer.signum(one.compareTo(other)));
            }
        }
    }
}
