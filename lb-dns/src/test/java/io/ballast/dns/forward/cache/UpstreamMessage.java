package io.ballast.dns.forward.cache;

import io.ballast.dns.forward.cache.ParsedAnswer.Taken;
import io.ballast.dns.forward.question.Question;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.wire.NameHash;
import io.ballast.dns.wire.Query;
import io.ballast.dns.wire.Rcode;
import io.ballast.dns.wire.Wire;
import java.time.Duration;
import java.util.Arrays;
import org.xbill.DNS.DClass;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/** Upstream messages made by dnsjava, and their cached answers. */
final class UpstreamMessage {

    static final long NOW = Long.MAX_VALUE - Duration.ofSeconds(5).toNanos(); // the clock overflows while answers age
    static final NameHash HASH = new NameHash(1, 2);

    private final Message message;

    private UpstreamMessage(String name, int type, int rcode) {
        message = new Message(0x4711);
        message.getHeader().setFlag(Flags.QR);
        message.getHeader().setFlag(Flags.RD);
        message.getHeader().setFlag(Flags.RA);
        message.getHeader().setRcode(rcode);
        message.addRecord(Record.newRecord(Messages.name(name), type, DClass.IN), Section.QUESTION);
    }

    static UpstreamMessage answering(String name, int type) {
        return new UpstreamMessage(name, type, Rcode.NOERROR);
    }

    static UpstreamMessage answering(String name, int type, int rcode) {
        return new UpstreamMessage(name, type, rcode);
    }

    UpstreamMessage answer(String... lines) {
        return with(Section.ANSWER, lines);
    }

    UpstreamMessage authority(String... lines) {
        return with(Section.AUTHORITY, lines);
    }

    UpstreamMessage additional(String... lines) {
        return with(Section.ADDITIONAL, lines);
    }

    UpstreamMessage additional(Record record) {
        message.addRecord(record, Section.ADDITIONAL);
        return this;
    }

    UpstreamMessage flag(int flag) {
        message.getHeader().setFlag(flag);
        return this;
    }

    private UpstreamMessage with(int section, String... lines) {
        for (String line : lines) {
            message.addRecord(record(line), section);
        }
        return this;
    }

    static Record record(String line) {
        return Messages.record(line);
    }

    byte[] wire() {
        return message.toWire(Wire.MAX_MESSAGE_BYTES);
    }

    Question question() {
        Record queried = message.getQuestion();
        return question(queried.getName().toString(), queried.getType());
    }

    static Question question(String name, int type) {
        return question(name, type, /* flags= */ 0);
    }

    static Question question(String name, int type, int flags) {
        Query query = new Query(HASH);
        byte[] bytes = Messages.query(name, type).toWire();
        query.parse(bytes, bytes.length);
        query.name().hash();
        return Question.of(query.name(), type, flags, /* group= */ 0);
    }

    ParsedAnswer read() {
        return read(TtlLimits.DEFAULT);
    }

    ParsedAnswer read(TtlLimits limits) {
        return read(wire(), question(), limits);
    }

    static ParsedAnswer read(byte[] wire, Question question, TtlLimits limits) {
        return new AnswerReader(limits).read(wire, wire.length, question, NOW);
    }

    Taken taken() {
        return (Taken) read();
    }

    CacheEntry kept() {
        return taken().answer();
    }

    CacheEntry kept(TtlLimits limits) {
        return ((Taken) read(limits)).answer();
    }

    /** Returns the response to a plain query with the same question, parsed by dnsjava. */
    Message response() {
        return response(kept());
    }

    Message response(CacheEntry answer) {
        Record queried = message.getQuestion();
        return respond(answer, Messages.query(queried.getName().toString(), queried.getType()), 0);
    }

    static Message respond(CacheEntry answer, Message client, int ageSeconds) {
        Query query = parsed(client.toWire());
        byte[] out = new byte[Wire.MAX_MESSAGE_BYTES];
        int end = answer.write(query, out, out.length, ageSeconds);
        return Messages.parse(Arrays.copyOf(out, end));
    }

    static Query parsed(byte[] wire) {
        Query query = new Query(HASH);
        if (query.parse(wire, wire.length) != Query.Verdict.ANSWER) {
            throw new AssertionError("not a query");
        }
        query.name().hash();
        return query;
    }
}
