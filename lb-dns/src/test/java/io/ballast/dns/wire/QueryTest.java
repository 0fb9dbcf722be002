package io.ballast.dns.wire;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.Query.Verdict;
import java.net.InetAddress;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.xbill.DNS.ClientSubnetOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

class QueryTest {

    private final Query query = new Query(NameHash.random());

    @Test
    void readsQuestion() {
        assertThat(parse(Messages.query("WWW.Example.com", Type.AAAA))).isEqualTo(Verdict.ANSWER);

        assertThat(query.type()).isEqualTo(RecordType.AAAA);
        assertThat(query.recordClass()).isEqualTo(1);
        assertThat(query.name().labels()).isEqualTo(3);
        assertThat(query.name().suffixEquals(0, Messages.name("www.example.com").toWire()))
                .isTrue();
        assertThat(query.name().suffixEquals(1, Messages.name("example.com").toWire()))
                .isTrue();
        assertThat(query.name().suffixEquals(3, new byte[1])).isTrue();
        assertThat(query.name().suffixEquals(0, Messages.name("xww.example.com").toWire()))
                .isFalse();
        assertThat(query.edns().isPresent()).isFalse();
    }

    @Test
    void hashIgnoresCaseAndOffset() {
        QueryName one = new QueryName(new NameHash(1, 2));
        QueryName other = new QueryName(new NameHash(1, 2));
        read(one, "a.long.label.Example.COM");
        read(other, "example.com");

        assertThat(one.hash(3)).isEqualTo(other.hash(0));
        assertThat(one.hash(5)).isEqualTo(other.hash(2));
        assertThat(one.hash(2)).isNotEqualTo(other.hash(0));
    }

    @Test
    void readsEdns() {
        ClientSubnetOption unknown = new ClientSubnetOption(32, 0, InetAddress.getLoopbackAddress());
        OPTRecord opt = new OPTRecord(4096, 0, 0, ExtendedFlags.DO, List.of(unknown));

        assertThat(parse(Messages.query("example.com", Type.A, opt))).isEqualTo(Verdict.ANSWER);

        assertThat(query.edns().isPresent()).isTrue();
        assertThat(query.edns().payload()).isEqualTo(4096);
        assertThat(query.edns().isDnssecOk()).isTrue();
    }

    @Test
    void payloadIsAtLeast512() {
        parse(Messages.query("example.com", Type.A, new OPTRecord(100, 0, 0)));

        assertThat(query.edns().payload()).isEqualTo(512);
    }

    @Test
    void stateIsResetForEachQuery() {
        parse(Messages.query("example.com", Type.A, new OPTRecord(4096, 0, 0, ExtendedFlags.DO)));
        parse(Messages.query("example.com", Type.A));

        assertThat(query.edns().isPresent()).isFalse();
        assertThat(query.edns().payload()).isEqualTo(512);
        assertThat(query.edns().isDnssecOk()).isFalse();
    }

    @Test
    void rejectsEveryPrefix() {
        ClientSubnetOption option = new ClientSubnetOption(32, 0, InetAddress.getLoopbackAddress());
        OPTRecord opt = new OPTRecord(1232, 0, 0, 0, List.of(option));
        byte[] whole = Messages.query("www.example.com", Type.A, opt).toWire();
        assertThat(query.parse(whole, whole.length)).isEqualTo(Verdict.ANSWER);

        for (int length = 0; length < whole.length; length++) {
            Verdict expected = length < Wire.HEADER_BYTES ? Verdict.DROP : Verdict.FORMERR;
            assertThat(query.parse(whole, length)).as("%s bytes", length).isEqualTo(expected);
            // The array ends with the message, so that no further bytes can be read by mistake.
            byte[] cut = Arrays.copyOf(whole, length);
            assertThat(query.parse(cut, length)).as("%s bytes", length).isEqualTo(expected);
        }
    }

    @Test
    void rejectsBytesAfterMessage() {
        byte[] wire = Messages.query("example.com", Type.A).toWire();

        assertThat(query.parse(Arrays.copyOf(wire, wire.length + 1), wire.length + 1))
                .isEqualTo(Verdict.FORMERR);
    }

    @Test
    void dropsResponses() {
        byte[] wire = Messages.query("example.com", Type.A).toWire();
        wire[2] |= (byte) 0x80;

        assertThat(query.parse(wire, wire.length)).isEqualTo(Verdict.DROP);
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 2, 4, 5, 6, 15})
    void otherOpcodesAreNotImplemented(int opcode) {
        Message message = Messages.query("example.com", Type.A);
        message.getHeader().setOpcode(opcode);

        assertThat(parse(message)).isEqualTo(Verdict.NOTIMP);
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 2, 65535})
    void requiresExactlyOneQuestion(int questions) {
        byte[] wire = Messages.query("example.com", Type.A).toWire();
        Wire.putU16(wire, 4, questions);

        assertThat(query.parse(wire, wire.length)).isEqualTo(Verdict.FORMERR);
        assertThat(query.hasQuestion()).isFalse();
    }

    @ParameterizedTest(name = "{displayName} [{index}]: {0}")
    @ValueSource(ints = {0xc0, 0xff, 0x40, 0x80})
    void rejectsCompressedOrUnknownLabels(int label) {
        byte[] wire = {0, 1, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, (byte) label, 12, 0, 0, 1, 0, 1};

        assertThat(query.parse(wire, wire.length)).isEqualTo(Verdict.FORMERR);
    }

    @Test
    void limitsNameTo255Bytes() {
        byte[] longest = questionOf(63, 63, 63, 61);
        byte[] tooLong = questionOf(63, 63, 63, 62);

        assertThat(query.parse(longest, longest.length)).isEqualTo(Verdict.ANSWER);
        assertThat(query.name().length()).isEqualTo(Wire.MAX_NAME_BYTES);
        assertThat(query.parse(tooLong, tooLong.length)).isEqualTo(Verdict.FORMERR);
    }

    @Test
    void acceptsNameOf127Labels() {
        int[] labels = new int[127];
        Arrays.fill(labels, 1);
        byte[] wire = questionOf(labels);

        assertThat(query.parse(wire, wire.length)).isEqualTo(Verdict.ANSWER);
        query.name().hash();
        assertThat(query.name().labels()).isEqualTo(127);
    }

    @Test
    void rejectsSecondOpt() {
        Message message = Messages.query("example.com", Type.A, new OPTRecord(1232, 0, 0));
        message.addRecord(new OPTRecord(4096, 0, 0), Section.ADDITIONAL);

        assertThat(parse(message)).isEqualTo(Verdict.FORMERR);
        assertThat(query.hasQuestion()).isTrue();
    }

    @Test
    void rejectsOptOutsideAdditionalSection() {
        Message message = Messages.query("example.com", Type.A);
        message.addRecord(new OPTRecord(1232, 0, 0), Section.AUTHORITY);

        assertThat(parse(message)).isEqualTo(Verdict.FORMERR);
    }

    @Test
    void reportsNewerEdnsVersion() {
        assertThat(parse(Messages.query("example.com", Type.A, new OPTRecord(1232, 0, 1))))
                .isEqualTo(Verdict.BADVERS);
    }

    @Test
    void rejectsOptionLongerThanRecord() {
        byte[] wire =
                Messages.query("example.com", Type.A, new OPTRecord(1232, 0, 0)).toWire();
        byte[] longer = Arrays.copyOf(wire, wire.length + 4);
        Wire.putU16(longer, wire.length - 2, 4);
        Wire.putU16(longer, wire.length, 10);
        Wire.putU16(longer, wire.length + 2, 1);

        assertThat(query.parse(longer, longer.length)).isEqualTo(Verdict.FORMERR);
    }

    private Verdict parse(Message message) {
        byte[] wire = message.toWire();
        return query.parse(wire, wire.length);
    }

    private static void read(QueryName name, String text) {
        byte[] wire = Messages.name(text).toWire();
        assertThat(name.read(wire, 0, wire.length)).isEqualTo(wire.length);
        name.hash();
    }

    private static byte[] questionOf(int... labels) {
        ByteBuffer wire = ByteBuffer.allocate(600);
        wire.putLong(0x0001_0100_0001_0000L).putInt(0);
        for (int label : labels) {
            wire.put((byte) label);
            for (int i = 0; i < label; i++) {
                wire.put((byte) 'a');
            }
        }
        wire.put((byte) 0).putShort((short) 1).putShort((short) 1);
        return Arrays.copyOf(wire.array(), wire.position());
    }
}
