package io.ballast.dns.answer;

import io.ballast.core.backend.Backend;
import io.ballast.core.net.IpAddress;
import io.ballast.dns.forward.ReplyPath;
import io.ballast.dns.forward.Waiter;
import io.ballast.dns.forward.cache.KeptAnswer;
import io.ballast.dns.forward.filter.ClientPolicy;
import io.ballast.dns.forward.filter.NameFilter;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A query that waits: what its response needs of it, and the way back. Its response is made as that of any other, from the query
 * itself, so that nothing in it is anybody else's.
 */
final class DeferredQuery implements Waiter {

    private static final long HIGH_MULTIPLIER = 31;

    private final LateAnswers late;
    private final @Nullable NameFilter filter;
    private final ClientPolicy policy;
    private final @Nullable AliasChain chain;
    private final boolean subnetAsTold;
    private final byte[] message;
    private final Client client = new Client();
    private final Transport transport;
    private final ReplyPath path;

    /**
     * @param late on the event loop that asks for it
     * @param filter that was in force when it came; null if there was none
     * @param policy how what its answer leads to is filtered
     * @param chain of aliases that lead to the name which is asked for, the query's own; null if it is the name of the query
     * @param subnetAsTold whether the network that resolvers were told is the one that it tells
     */
    DeferredQuery(
            LateAnswers late,
            @Nullable NameFilter filter,
            ClientPolicy policy,
            @Nullable AliasChain chain,
            boolean subnetAsTold,
            byte[] message,
            int length,
            Client client,
            Transport transport,
            ReplyPath path) {
        this.late = late;
        this.filter = filter;
        this.policy = policy;
        this.chain = chain;
        this.subnetAsTold = subnetAsTold;
        this.message = Arrays.copyOf(message, length);
        this.client.copy(client);
        this.transport = transport;
        this.path = path;
    }

    @Nullable NameFilter filter() {
        return filter;
    }

    ClientPolicy policy() {
        return policy;
    }

    @Nullable AliasChain chain() {
        return chain;
    }

    boolean isSubnetAsTold() {
        return subnetAsTold;
    }

    byte[] message() {
        return message;
    }

    Client from() {
        return client;
    }

    Transport transport() {
        return transport;
    }

    ReplyPath path() {
        return path;
    }

    @Override
    public long client() {
        long high = IpAddress.high(client.octets(), client.length());
        return high * HIGH_MULTIPLIER ^ IpAddress.low(client.octets(), client.length());
    }

    @Override
    public void answered(KeptAnswer answer, @Nullable Backend by) {
        late.answered(this, answer, by);
    }

    @Override
    public void stale(KeptAnswer answer) {
        late.stale(this, answer);
    }

    @Override
    public void failed() {
        late.failed(this);
    }
}
