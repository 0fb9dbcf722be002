package io.ballast.dns.forward.filter;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import io.ballast.dns.forward.filter.rule.RuleName;
import java.util.List;

/**
 * What is answered by hand for a name: an answer, or another name whose answer it gets behind a CNAME record. Immutable.
 *
 * @param choice if there is no other name
 * @param target the other name, in lower case and wire format; empty if there is none
 * @param ttlSeconds of what is answered by hand
 */
@SuppressWarnings("ArrayRecordComponent") // never compared; read by queries
public record Rewritten(AnswerChoice choice, byte[] target, int ttlSeconds) {

    private static final byte[] NONE = {};

    static Rewritten answer(Answer answer, List<IpAddress> addresses, int ttlSeconds) {
        return new Rewritten(new AnswerChoice(answer, addresses, ttlSeconds), NONE, ttlSeconds);
    }

    static Rewritten alias(String target, int ttlSeconds) {
        return new Rewritten(new AnswerChoice(Answer.NODATA, List.of(), ttlSeconds), RuleName.wire(target), ttlSeconds);
    }

    public boolean isAlias() {
        return target.length != 0;
    }

    /** The other name as text. */
    public String targetText() {
        return RuleName.text(target, 0, target.length);
    }
}
