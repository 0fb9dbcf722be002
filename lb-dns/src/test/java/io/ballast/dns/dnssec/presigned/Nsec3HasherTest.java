package io.ballast.dns.dnssec.presigned;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.HexFormat;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.xbill.DNS.Name;
import org.xbill.DNS.utils.base32;

class Nsec3HasherTest {

    private static final base32 LABELS =
            new base32(base32.Alphabet.BASE32HEX, /* padding= */ false, /* lowercase= */ true);

    /** The examples of <a href="https://datatracker.ietf.org/doc/html/rfc5155#appendix-A">RFC 5155 appendix A</a>. */
    @ParameterizedTest
    @CsvSource({
        "example., 0p9mhaveqvm6t7vbl5lop2u3t2rp3tom",
        "a.example., 35mthgpgcu1qg68fab165klnsnk3dpvl",
        "*.w.example., r53bq7cc2uvmubfu5ocmm6pers9tk9en",
        "2t7b4g4vsa5smi47k61mv5bv1a22bojr.example., kohar7mbb8dc2ce8a9qvl8hon4k53uhi"
    })
    void hashesAreThoseOfTheRfc(String name, String expected) {
        Nsec3Parameters parameters = new Nsec3Parameters(12, HexFormat.of().parseHex("aabbccdd"));
        byte[] wire = Name.fromConstantString(name).toWireCanonical();
        byte[] hash = new byte[Nsec3Hasher.BYTES + 1];

        new Nsec3Hasher().hash(parameters, wire, 0, wire.length, hash);

        assertThat(LABELS.toString(Arrays.copyOf(hash, Nsec3Hasher.BYTES))).isEqualTo(expected);
    }

    @Test
    void readsParametersFromRecords() {
        byte[] data = HexFormat.of().parseHex("0100000c04aabbccdd");

        assertThat(Nsec3Parameters.of(data))
                .hasValue(new Nsec3Parameters(12, HexFormat.of().parseHex("aabbccdd")));
        assertThat(Nsec3Parameters.of(Arrays.copyOf(data, 7))).isEmpty();
        assertThat(Nsec3Parameters.of(HexFormat.of().parseHex("0200000000"))).isEmpty();
    }
}
