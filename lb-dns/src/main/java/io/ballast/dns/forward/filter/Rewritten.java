package io.ballast.dns.forward.filter;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.forward.filter.rule.RuleName;
import java.util.List;

/**
 * The result of a rewrite: an answer, or a CNAME record to another name. Immutable.
 *
 * @param choice the answer, if there is no target
 * @param target the target in lower case and wire format; empty if there is none
 * @param ttlSeconds the TTL of the generated records
 */
@SuppressWarnings("ArrayRecordComponent") // instances are never compared, and queries read the array directly
public record Rewritten(AnswerChoice choice, byte[] target, int ttlSeconds) {

    private static final byte[] NO_TARGET = {};

    static Rewritten answer(Answer answer, List<IpAddress> addresses, int ttlSeconds) {
        return new Rewritten(new AnswerChoice(answer, addresses, ttlSeconds), NO_TARGET, ttlSeconds);
    }

    static Rewritten alias(String target, int ttlSeconds) {
        return new Rewritten(
                new AnswerChoice(Answer.NODATA, List.of(), ttlSeconds), RuleName.toWireFormat(target), ttlSeconds);
    }

    public boolean isAlias() {
        return target.length != 0;
    }

    /** Returns the alias target as text. */
    public String targetText() {
        return RuleName.toText(target, 0, target.length);
    }
}
