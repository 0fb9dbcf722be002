package io.ballast.http.check;

import io.ballast.core.config.HealthCheck;
import io.ballast.core.health.FirstResult;
import io.ballast.core.health.Probe;
import io.ballast.core.health.ProbeResult;
import io.ballast.http.net.BackendTlsHandshake;
import io.ballast.http.net.ConnectErrors;
import io.ballast.http.net.PoolTls;
import io.ballast.http.net.Workers;
import io.ballast.net.listen.FileDescriptorReserve;
import io.ballast.net.proxyprotocol.ProxyHeaderWriter;
import io.ballast.net.tls.ClientTls;
import io.ballast.net.tls.TlsCloseHandler;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Runs checks that open a connection, with TLS if the check or its pool uses it, on the workers' event loops.
 * Each check has its own connection. Checks are assigned to loops round robin, in batches of {@value
 * #BATCH_SIZE}. Checks with TLS take more time and are assigned one by one.
 *
 * <p>Thread safety: checks may be started from any thread. A check ends with a verdict, an error, or its
 * deadline, whichever comes first.
 */
public final class SocketProbe implements Probe {

    private static final int MIN_SEARCHES = 2;

    /**
     * Number of consecutive checks that run on the same event loop. Checks that are due at the same time then
     * wake few event loops instead of all.
     */
    private static final int BATCH_SIZE = 32;

    private final List<CheckConnector> connectors;
    private final PoolTls tls;
    private final BodyRegexSearch patterns;
    private final AtomicInteger turn = new AtomicInteger();

    /**
     * Creates a probe.
     *
     * @param tls the TLS settings of backends
     * @param executor searches bodies for regular expressions, which would block event loops for too long
     */
    public SocketProbe(Workers workers, PoolTls tls, Executor executor) {
        this.connectors = workers.all().stream().map(CheckConnector::new).toList();
        this.tls = tls;
        this.patterns = new BodyRegexSearch(executor);
    }

    /**
     * Returns the number of bodies that the executor should search concurrently. It is half of the cores, so that
     * many searches leave the other cores to the event loops. It is at least two, so that one long search does
     * not delay the searches of all pools.
     */
    public static int maxConcurrentSearches() {
        return maxConcurrentSearches(Runtime.getRuntime().availableProcessors());
    }

    static int maxConcurrentSearches(int cores) {
        return Math.max(MIN_SEARCHES, cores / 2);
    }

    @Override
    public void start(
            SocketAddress target, HealthCheck check, String hostHeader, Duration timeout, Consumer<ProbeResult> done) {
        HealthCheck request = check instanceof HealthCheck.Proxied proxied ? proxied.request() : check;
        CheckConnector connector = next(request instanceof HealthCheck.Secured ? BATCH_SIZE : 1);
        FirstResult verdict = new FirstResult(done);
        // The whole check runs on the event loop, because each call from another thread would wake the loop once
        // more.
        connector.eventLoop().execute(() -> {
            try {
                connect(connector, target, check, hostHeader, timeout, verdict);
            } catch (RuntimeException e) {
                verdict.failed("check did not start: " + e);
            }
        });
    }

    private CheckConnector next(int steps) {
        int at = Integer.divideUnsigned(turn.getAndAdd(steps), BATCH_SIZE);
        return connectors.get(Integer.remainderUnsigned(at, connectors.size()));
    }

    private void connect(
            CheckConnector connector,
            SocketAddress target,
            HealthCheck check,
            String hostHeader,
            Duration timeout,
            FirstResult verdict) {
        ChannelFuture connect = connector.connect(target);
        Channel channel = connect.channel();
        verdict.deadline(connector
                .eventLoop()
                .schedule(
                        () -> {
                            verdict.onDeadline("no answer within " + timeout.toMillis() + " ms");
                            TlsCloseHandler.closeWithoutNotify(channel);
                        },
                        timeout.toNanos(),
                        TimeUnit.NANOSECONDS));
        connect.addListener(future -> {
            if (!future.isSuccess() && FileDescriptorReserve.isDescriptorExhaustion(future.cause())) {
                FileDescriptorReserve.ofProcess().releaseReserve("health check of " + target);
                verdict.skipped(ConnectErrors.text(future.cause()));
            } else if (!future.isSuccess()) {
                verdict.failed(ConnectErrors.text(future.cause()));
            } else if (check instanceof HealthCheck.Proxied proxied) {
                sendProxyHeader(channel, proxied, hostHeader, verdict);
            } else {
                begin(channel, check, hostHeader, verdict);
            }
            if (channel.isActive()) {
                channel.config().setAutoRead(true);
            }
        });
    }

    private void sendProxyHeader(Channel channel, HealthCheck.Proxied check, String hostHeader, FirstResult verdict) {
        channel.writeAndFlush(ProxyHeaderWriter.writeUnknown(check.version(), channel.alloc()))
                .addListener(sent -> {
                    if (sent.isSuccess()) {
                        begin(channel, check.request(), hostHeader, verdict);
                    } else {
                        verdict.failed(ConnectErrors.text(sent.cause()));
                        channel.close();
                    }
                });
    }

    private void begin(Channel channel, HealthCheck check, String hostHeader, FirstResult verdict) {
        HealthCheck.Secured secured = check instanceof HealthCheck.Secured tls ? tls : null;
        HealthCheck request = secured == null ? check : secured.request();
        if (request instanceof HealthCheck.Postgres postgres) {
            PostgresCheck.run(channel, postgres, tlsStart(channel, secured, verdict), verdict);
        } else if (request instanceof HealthCheck.Mysql mysql) {
            MysqlCheck.run(channel, mysql, tlsStart(channel, secured, verdict), verdict);
        } else if (secured == null) {
            run(channel, request, /* isHttp2= */ false, hostHeader, verdict);
        } else {
            handshake(channel, secured, verdict, isHttp2 -> run(channel, request, isHttp2, hostHeader, verdict));
        }
    }

    /** Returns how to start TLS for a protocol that begins without TLS; null if the check does not use TLS. */
    private ServiceCheck.@Nullable TlsStart tlsStart(
            Channel channel, HealthCheck.@Nullable Secured secured, FirstResult verdict) {
        return secured == null ? null : then -> handshake(channel, secured, verdict, isHttp2 -> then.run());
    }

    /**
     * @param then receives whether HTTP/2 was negotiated; not called if the handshake fails, because {@code
     *     verdict} then receives the failure
     */
    private void handshake(Channel channel, HealthCheck.Secured check, FirstResult verdict, Consumer<Boolean> then) {
        ClientTls client = tls.ofCheck(check.settings(), check.protocol());
        ChannelHandler last = channel.pipeline().last();
        if (client == null || last == null) {
            verdict.skipped("TLS is not configured for " + check.backend());
            channel.close();
            return;
        }
        BackendTlsHandshake.begin(channel, last, client, check.backend(), failure -> {
            String agreed = BackendTlsHandshake.negotiatedProtocol(channel);
            if (failure instanceof IllegalStateException) {
                verdict.skipped(ConnectErrors.ofHandshake(failure));
            } else if (failure != null) {
                verdict.failed(ConnectErrors.ofHandshake(failure));
            } else if (!client.isOfferedProtocol(agreed)) {
                verdict.failed(ConnectErrors.NO_HTTP_2);
                channel.close();
            } else {
                then.accept(BackendTlsHandshake.HTTP_2.equals(agreed));
            }
        });
    }

    private void run(Channel channel, HealthCheck check, boolean isHttp2, String hostHeader, FirstResult verdict) {
        if (check instanceof HealthCheck.Tcp tcp) {
            TcpCheck.run(channel, tcp, verdict);
        } else if (check instanceof HealthCheck.Grpc grpc) {
            GrpcCheck.run(channel, grpc, isHttp2, hostHeader, verdict);
        } else if (check instanceof HealthCheck.Http http && isHttp2) {
            Http2Check.run(channel, hostHeader, new CheckResponseEvaluator(http, patterns, verdict));
        } else if (check instanceof HealthCheck.Http http) {
            HttpCheck.run(channel, hostHeader, new CheckResponseEvaluator(http, patterns, verdict));
        } else if (check instanceof HealthCheck.Redis) {
            RedisCheck.run(channel, verdict);
        } else if (check instanceof HealthCheck.Smtp smtp) {
            SmtpCheck.run(channel, smtp, verdict);
        } else {
            verdict.skipped("unsupported check type: " + check.label());
            channel.close();
        }
    }
}
