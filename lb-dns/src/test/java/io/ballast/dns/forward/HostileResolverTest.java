package io.ballast.dns.forward;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.stats.DnsCounter;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.DNAMERecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.NSRecord;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.TXTRecord;
import org.xbill.DNS.Type;

/**
 * Tests forged and invalid messages, from the address of a resolver and from other addresses: the cache stays valid,
 * and no other name is affected.
 */
class HostileResolverTest {

    private static final String EVIL = "203.0.113.66";
    private static final String TRUE = "192.0.2.1";
    private static final String KEPT = "kept.example.org";
    private static final String FRESH = "fresh.example.org";
    private static final int POINTER = 0xc0;

    /** The messages that an attacker sends instead of an answer. */
    enum Attack {
        WRONG_ID {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                for (int i = 1; i <= 50; i++) {
                    Message lie = lie(query);
                    lie.getHeader().setID((query.getHeader().getID() + i) & 0xffff);
                    send(lie.toWire(), from, socket);
                }
            }
        },
        WRONG_PORT {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                try (DatagramSocket other = new DatagramSocket()) {
                    send(lie(query).toWire(), from, other);
                }
            }
        },
        WRONG_QUESTION {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                for (String name : List.of(KEPT, FRESH)) {
                    Message other = Messages.query(name, Type.A);
                    other.getHeader().setID(query.getHeader().getID());
                    send(lie(other).toWire(), from, socket);
                }
            }
        },
        WRONG_TYPE {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                Record queried = query.getQuestion();
                Message other = Message.newQuery(Record.newRecord(queried.getName(), Type.ANY, DClass.IN));
                other.getHeader().setID(query.getHeader().getID());
                send(lie(other).toWire(), from, socket);
            }
        },
        /** Changes the randomized letter case of the question. */
        WRONG_CASE {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                byte[] wire = lie(query).toWire();
                for (int i = 13; i < 13 + 5; i++) {
                    wire[i] = (byte) (Character.isLetter(wire[i]) ? wire[i] ^ 0x20 : wire[i]);
                }
                send(wire, from, socket);
            }
        },
        NO_RESPONSE {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                Message lie = lie(query);
                lie.getHeader().unsetFlag(Flags.QR);
                send(lie.toWire(), from, socket);
            }
        },
        FOREIGN_RECORDS {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                Message answer = truth(query);
                for (int section : new int[] {Section.ANSWER, Section.AUTHORITY, Section.ADDITIONAL}) {
                    for (String name : List.of(KEPT, FRESH)) {
                        answer.addRecord(evil(name), section);
                    }
                }
                Name org = Messages.name("example.org");
                answer.addRecord(new NSRecord(org, DClass.IN, 86_400, Messages.name(FRESH)), Section.AUTHORITY);
                answer.addRecord(
                        new DNAMERecord(org, DClass.IN, 86_400, Messages.name("evil.example")), Section.AUTHORITY);
                send(answer.toWire(), from, socket);
            }
        },
        /** An alias to a cached name, with a false record of that name. The record may be used for this query only. */
        ALIAS_TO_WHAT_IS_KEPT {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                Message answer = FakeResolver.reply(query, Rcode.NOERROR);
                for (String name : List.of(KEPT, FRESH)) {
                    answer.addRecord(evil(name), Section.ANSWER);
                }
                Name queried = query.getQuestion().getName();
                answer.addRecord(new CNAMERecord(queried, DClass.IN, 60, Messages.name(KEPT)), Section.ANSWER);
                send(answer.toWire(), from, socket);
            }

            @Override
            boolean mayLieAboutItself() {
                return true;
            }
        },
        ALIASES_IN_A_CIRCLE {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                Message answer = FakeResolver.reply(query, Rcode.NOERROR);
                Name queried = query.getQuestion().getName();
                answer.addRecord(new CNAMERecord(queried, DClass.IN, 60, Messages.name(KEPT)), Section.ANSWER);
                answer.addRecord(new CNAMERecord(Messages.name(KEPT), DClass.IN, 60, queried), Section.ANSWER);
                answer.addRecord(evil(FRESH), Section.ANSWER);
                send(answer.toWire(), from, socket);
            }
        },
        /** The record's name is a pointer to itself. */
        COMPRESSION_LOOP {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                byte[] question = FakeResolver.reply(query, Rcode.NOERROR).toWire();
                ByteBuffer loop = ByteBuffer.allocate(question.length + 16).put(question);
                loop.put((byte) POINTER).put((byte) question.length).putShort((short) Type.A);
                loop.putShort((short) DClass.IN).putInt(60).putShort((short) 4).put(new byte[] {(byte) 203, 0, 113, 66
                });
                loop.putShort(6, (short) 1);
                send(loop.array(), from, socket);
            }
        },
        OVERSIZED {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                Message lie = lie(query);
                for (int i = 0; i < 200; i++) {
                    lie.addRecord(
                            new TXTRecord(query.getQuestion().getName(), DClass.IN, 60, "x".repeat(250)),
                            Section.ADDITIONAL);
                }
                byte[] wire = lie.toWire(65_535);
                send(Arrays.copyOf(wire, Math.min(wire.length, 60_000)), from, socket);
            }
        },
        /** The truncated answer must be ignored; the TCP answer is valid. */
        TRUNCATED {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                Message lie = lie(query);
                lie.getHeader().setFlag(Flags.TC);
                send(lie.toWire(), from, socket);
            }
        },
        CUT_OFF {
            @Override
            void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException {
                byte[] wire = lie(query).toWire();
                for (int length = 0; length < wire.length; length++) {
                    send(Arrays.copyOf(wire, length), from, socket);
                }
            }
        };

        abstract void on(Message query, SocketAddress from, DatagramSocket socket) throws IOException;

        /** Whether a false answer for the queried name itself must be accepted. */
        boolean mayLieAboutItself() {
            return false;
        }
    }

    @ParameterizedTest
    @EnumSource(Attack.class)
    void hostileAnswerAffectsOnlyItsName(Attack attack) throws IOException {
        try (FakeResolver resolver = new FakeResolver(TRUE);
                ForwarderFixture fixture = new ForwarderFixture(
                        config -> config.toBuilder()
                                .timeout(Duration.ofMillis(300))
                                .retryAfter(Duration.ofMillis(200))
                                .build(),
                        resolver)) {
            assertThat(Messages.answers(fixture.query(KEPT, Type.A))).containsExactly(TRUE);
            List<IOException> failures = new ArrayList<>();
            resolver.answersByHand((query, from, socket) -> {
                try {
                    attack.on(query, from, socket);
                } catch (IOException e) {
                    failures.add(e);
                }
            });

            Message answer = fixture.query("asked.example.org", Type.A);

            assertThat(failures).isEmpty();
            if (!attack.mayLieAboutItself()) {
                assertThat(Messages.answers(answer)).doesNotContain(EVIL);
            }
            long hits = fixture.frontend().stats().sum(DnsCounter.FORWARD_HITS);
            assertThat(Messages.answers(fixture.query(KEPT, Type.A))).containsExactly(TRUE);
            assertThat(fixture.frontend().stats().sum(DnsCounter.FORWARD_HITS)).isEqualTo(hits + 1);
            resolver.answersAgain();
            assertThat(Messages.answers(fixture.query(FRESH, Type.A))).containsExactly(TRUE);
            assertThat(resolver.queries(FRESH)).isEqualTo(1);
        }
    }

    private static Message truth(Message query) {
        Message answer = FakeResolver.reply(query, Rcode.NOERROR);
        answer.addRecord(address(query.getQuestion().getName(), TRUE), Section.ANSWER);
        return answer;
    }

    private static Message lie(Message query) {
        Message answer = FakeResolver.reply(query, Rcode.NOERROR);
        answer.addRecord(address(query.getQuestion().getName(), EVIL), Section.ANSWER);
        return answer;
    }

    private static Record evil(String name) {
        return address(Messages.name(name.toLowerCase(Locale.ROOT)), EVIL);
    }

    private static Record address(Name name, String address) {
        try {
            return new ARecord(name, DClass.IN, 86_400, InetAddress.getByName(address));
        } catch (IOException e) {
            throw new IllegalArgumentException(e);
        }
    }

    private static void send(byte[] wire, SocketAddress to, DatagramSocket by) throws IOException {
        by.send(new DatagramPacket(wire, wire.length, to));
    }
}
