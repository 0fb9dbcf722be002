package io.ballast.dns.testing;

import io.ballast.dns.answer.Transport;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import java.util.function.Supplier;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.ExtendedFlags;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.OPTRecord;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.Section;
import org.xbill.DNS.TSIG;

/** Passes queries of dnsjava's validator to the tested server, over TCP to avoid truncation. */
public final class AnswererResolver implements Resolver {

    private static final int PAYLOAD_BYTES = 4096;

    private final Supplier<AnswererClient> client;

    /** @param client supplier of a client that queries the tested server */
    public AnswererResolver(Supplier<AnswererClient> client) {
        this.client = client;
    }

    @Override
    public CompletionStage<Message> sendAsync(Message query) {
        Message queried = query.clone();
        queried.addRecord(new OPTRecord(PAYLOAD_BYTES, 0, 0, ExtendedFlags.DO), Section.ADDITIONAL);
        Message response = client.get().query(queried, Transport.TCP);
        // The validator expects RA, which a resolver would set.
        response.getHeader().setFlag(Flags.RA);
        return CompletableFuture.completedFuture(response);
    }

    @Override
    public CompletionStage<Message> sendAsync(Message query, Executor executor) {
        return sendAsync(query);
    }

    @Override
    public void setPort(int port) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setTCP(boolean flag) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void setIgnoreTruncation(boolean flag) {
        // Responses are never truncated.
    }

    @Override
    public void setEDNS(int version, int payloadSize, int flags, List<EDNSOption> options) {
        // The validator only sets the DO flag, which each query already has.
    }

    @Override
    public void setTSIGKey(TSIG key) {
        throw new UnsupportedOperationException();
    }

    @Override
    public Duration getTimeout() {
        return Duration.ofSeconds(30);
    }

    @Override
    public void setTimeout(Duration timeout) {
        // Answers are immediate.
    }
}
