package io.ballast.dns.answer.forwarded;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.dns.answer.AliasChain;
import io.ballast.dns.forward.cache.AnswerEvaluator;
import io.ballast.dns.forward.cache.AnswerReader;
import io.ballast.dns.forward.cache.CacheEntry;
import io.ballast.dns.forward.cache.ParsedAnswer.Taken;
import io.ballast.dns.forward.cache.Signatures;
import io.ballast.dns.forward.cache.TtlLimits;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.stats.DnsStats;
import io.ballast.dns.testing.FakeResolver;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.EdnsError;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.QueryName;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Wire;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.xbill.DNS.ARecord;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests which parts of a response come from the zone's aliases, and which from the resolver's answer. */
class ForwardedResponseTest {

    private static final NameHash HASH = new NameHash(1, 2);
    private static final String QUERIED = "www.own.test";
    private static final String TARGET = "edge.cdn.example";
    private static final int LIMIT = 512;

    private final Query query = new Query(HASH);
    private final ForwardedResponse response = new ForwardedResponse(query, new DnsStats(1).shard(0));
    private final byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];

    @BeforeEach
    void query() {
        Message queried = Messages.query(QUERIED, Type.A, new OPTRecord(1232, 0, 0));
        queried.getHeader().setFlag(Flags.AD);
        byte[] wire = queried.toWire();
        query.parse(wire, wire.length);
    }

    @Test
    void adRequiresCompleteValidation() throws Exception {
        int alone = response.writeFresh(secure(QUERIED), out, LIMIT, /* nowNanos= */ 0);
        assertThat(Messages.has(message(alone), Flags.AD)).isTrue();

        response.setAliases(chain(TARGET));
        Message answer = message(response.writeFresh(secure(TARGET), out, LIMIT, /* nowNanos= */ 0));

        assertThat(answer.getSection(Section.ANSWER)).hasSize(2);
        assertThat(Messages.has(answer, Flags.AD))
                .as("the alias was not checked")
                .isFalse();
    }

    @Test
    void onlyTruncatedFlagIfAliasesDoNotFit() throws Exception {
        AliasChain chain = chain(TARGET);
        response.setAliases(chain);
        query.opt().error(EdnsError.FORGED);
        int room = chain.end() + query.opt().bytes();

        Message fits = message(response.writeFresh(secure(TARGET), out, room, /* nowNanos= */ 0));
        assertThat(fits.getSection(Section.ANSWER)).hasSize(1);
        assertThat(Messages.has(fits, Flags.TC)).isTrue();

        int length = response.writeFresh(secure(TARGET), out, room - 1, /* nowNanos= */ 0);
        assertThat(length).isLessThan(room);
        assertThat(message(length).getSection(Section.ANSWER)).isEmpty();
        assertThat(Messages.has(message(length), Flags.TC)).isTrue();
    }

    /** Returns an alias chain that consists of one alias from a rewrite rule. */
    private AliasChain chain(String target) {
        AliasChain chain = new AliasChain(query.name().newWithSameHash());
        chain.begin(query.name(), query.questionEnd());
        chain.alias(Messages.name(target).toWireCanonical(), /* ttlSeconds= */ 60);
        return chain.copy();
    }

    private static CacheEntry secure(String name) throws Exception {
        Message queried = Messages.query(name, Type.A);
        Message reply = FakeResolver.reply(queried, Rcode.NOERROR);
        reply.addRecord(
                new ARecord(Messages.name(name), DClass.IN, 300, new byte[] {(byte) 192, 0, 2, 1}), Section.ANSWER);
        byte[] wire = reply.toWire();
        byte[] bytes = Messages.name(name).toWireCanonical();
        QueryName parsed = new QueryName(HASH);
        parsed.read(bytes, 0, bytes.length);
        parsed.hash();
        Question question = Question.of(parsed, Type.A, Question.VALIDATED, /* group= */ 0);
        Taken taken = (Taken) new AnswerReader(TtlLimits.DEFAULT)
                .read(
                        wire,
                        wire.length,
                        question,
                        /* nowNanos= */ 0,
                        AnswerEvaluator.ALLOW_ALL,
                        Signatures.secure(300));
        return taken.answer();
    }

    private Message message(int length) {
        return Messages.parse(Arrays.copyOf(out, length));
    }
}
