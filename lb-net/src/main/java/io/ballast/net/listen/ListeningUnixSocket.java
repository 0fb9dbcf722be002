package io.ballast.net.listen;

import io.ballast.core.config.SocketFile;
import io.ballast.core.config.UnixSocket;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.loop.FrontendLoops;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.net.BindException;
import java.util.function.Consumer;

/**
 * Accepts connections on a Unix socket until it is closed, which removes its file. The system cannot spread connections over
 * several such sockets, so that one event loop accepts them and deals them out to all in turn.
 *
 * <p>Thread safety: confined to the thread that starts and stops.
 */
public final class ListeningUnixSocket implements ListeningSocket {

    private final Channel channel;
    private final UnixSocketFile file;
    private boolean stopped;

    private ListeningUnixSocket(Channel channel, UnixSocketFile file) {
        this.channel = channel;
        this.file = file;
    }

    /**
     * Starts to listen: clients wait in the system's queue until {@link #accept}.
     *
     * @param loops on epoll
     * @param options the options of connections, and their handler
     * @param backlog most connections that wait to be accepted
     * @param notAccepted told on its event loop of every connection that could not be accepted when it was tried
     * @throws BindException naming address and reason; then nothing stays open, and no file
     */
    public static <L extends FrontendLoop> ListeningUnixSocket bind(
            UnixSocket address,
            SocketFile access,
            FrontendLoops<L> loops,
            ServerBootstrap options,
            int backlog,
            Consumer<L> notAccepted)
            throws BindException {
        L loop = loops.all().get(0);
        Socket socket = Socket.newSocketDomain();
        UnixSocketFile file;
        try {
            file = UnixSocketFile.listen(socket, address, access, backlog);
        } catch (IOException e) {
            closeQuietly(socket, e);
            throw BindFailure.at(address.toString(), /* port= */ 0, e);
        }
        ChannelFuture registered = options.clone()
                .group(loop.eventLoop(), loops.group())
                .channelFactory(() -> loops.transport().acceptingChannel(socket))
                .option(ChannelOption.AUTO_READ, false)
                .handler(AcceptPause.forClients(() -> notAccepted.accept(loop)))
                .register()
                .awaitUninterruptibly();
        ListeningUnixSocket listening = new ListeningUnixSocket(registered.channel(), file);
        if (!registered.isSuccess()) {
            listening.close();
            throw BindFailure.at(address.toString(), /* port= */ 0, registered.cause());
        }
        loop.heartbeat().onDeath(() -> DeadLoop.close(listening.channel));
        return listening;
    }

    private static void closeQuietly(Socket socket, IOException why) {
        try {
            socket.close();
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    /** A task behind the one that adds what deals connections out, or the first ones would be lost. */
    @Override
    public void accept() {
        channel.eventLoop().execute(() -> channel.config().setAutoRead(true));
    }

    @Override
    public void stop() {
        if (stopped) {
            return; // the file may be that of another by now
        }
        stopped = true;
        file.remove(); // first, while the open socket keeps the file's identity from being given to another
        channel.close();
    }

    @Override
    public void close() {
        stop();
        channel.closeFuture().awaitUninterruptibly();
    }
}
