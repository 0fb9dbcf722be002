package io.ballast.dns.forward.validate;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.xbill.DNS.EDNSOption;
import org.xbill.DNS.Message;
import org.xbill.DNS.Resolver;
import org.xbill.DNS.TSIG;

/**
 * Answers the queries of dnsjava's validator from known messages, and records the queries that these
 * messages do not answer.
 */
final class ValidationChainResolver implements Resolver {

    @Override
    public CompletionStage<Message> sendAsync(Message query, Executor executor) {
        Message answer = ((ValidationChain) executor).find(query.getQuestion());
        CompletableFuture<Message> future = new SameThreadFuture<>();
        if (answer == null) {
            future.completeExceptionally(new IOException("not known yet"));
        } else {
            future.complete(answer);
        }
        return future;
    }

    @Override
    public void setPort(int port) {}

    @Override
    public void setTCP(boolean flag) {}

    @Override
    public void setIgnoreTruncation(boolean flag) {}

    @Override
    public void setEDNS(int version, int payloadSize, int flags, List<EDNSOption> options) {}

    @Override
    public void setTSIGKey(@Nullable TSIG key) {}

    @Override
    public void setTimeout(Duration timeout) {}
}
