package io.ballast.dns.forward.filter;

import io.ballast.core.net.IpAddress;
import io.ballast.dns.config.forward.DnsFilterConfig.Answer;
import java.util.List;

/**
 * The answer for a blocked name.
 *
 * @param addresses the addresses of the answer; used only with {@link Answer#ADDRESSES}
 */
public record AnswerChoice(Answer answer, List<IpAddress> addresses, int ttlSeconds) {

    public AnswerChoice {
        addresses = List.copyOf(addresses);
    }
}
