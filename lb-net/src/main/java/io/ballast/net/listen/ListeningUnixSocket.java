package io.ballast.net.listen;

import io.ballast.core.config.UnixSocket;
import io.ballast.core.watchdog.Heartbeat;
import io.ballast.net.config.SocketFile;
import io.ballast.net.loop.FrontendLoop;
import io.ballast.net.loop.FrontendLoops;
import io.ballast.net.takeover.SharedSocket;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.unix.Socket;
import io.netty.channel.unix.UnixChannel;
import java.io.IOException;
import java.net.BindException;
import java.util.List;
import java.util.function.Consumer;

/**
 * Accepts connections on a Unix socket until it is closed. Closing removes the socket file unless it still
 * belongs to another process. The system cannot distribute connections over several such sockets, so one
 * event loop accepts them and distributes them to all loops round robin.
 *
 * <p>Thread safety: confined to the thread that starts and stops this object.
 */
public final class ListeningUnixSocket implements ListeningSocket {

    private final Channel channel;
    private final UnixSocketFile file;
    private final Heartbeat heartbeat;
    private final Runnable failureAction;
    /** Whether the file belongs to another process, which may continue to use it. */
    private boolean ownedByOtherProcess;

    private boolean stopped;

    private ListeningUnixSocket(Channel channel, UnixSocketFile file, boolean isOthers, Heartbeat heart) {
        this.channel = channel;
        this.file = file;
        this.ownedByOtherProcess = isOthers;
        this.heartbeat = heart;
        this.failureAction = () -> FailedLoopChannels.close(channel);
    }

    /**
     * Starts to listen, or adopts the socket of another process that listens there. Clients wait in the accept
     * queue until {@link #accept}.
     *
     * @param loops event loops on epoll
     * @param options the options of connections, and their handler
     * @param backlog maximum number of connections waiting to be accepted
     * @param notAccepted called on its event loop for every failed accept
     * @throws BindException if listening fails; the message names the address and the reason. No socket stays open, and
     *     no file remains
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
        List<Integer> inherited = loops.inherited().takeDescriptors(address.path());
        Socket socket = inherited.isEmpty() ? Socket.newSocketDomain() : new Socket(inherited.get(0));
        UnixSocketFile file;
        try {
            file = inherited.isEmpty()
                    ? UnixSocketFile.listen(socket, address, access, backlog)
                    : UnixSocketFile.adopt(address);
        } catch (IOException e) {
            closeQuietly(socket, e);
            throw BindFailure.at(address.toString(), /* port= */ 0, e);
        }
        ServerBootstrap bootstrap = options.clone();
        AcceptBatch.configure(bootstrap, loops.transport());
        ChannelFuture registered = bootstrap
                .group(loop.eventLoop(), loops.group())
                .channelFactory(() -> loops.transport().newUnixServerChannel(socket))
                .option(ChannelOption.AUTO_READ, false)
                .handler(AcceptBackoff.forClients(() -> notAccepted.accept(loop)))
                .register()
                .awaitUninterruptibly();
        ListeningUnixSocket listening = new ListeningUnixSocket(
                registered.channel(), file, /* isOthers= */ !inherited.isEmpty(), loop.heartbeat());
        if (!registered.isSuccess()) {
            listening.close();
            throw BindFailure.at(address.toString(), /* port= */ 0, registered.cause());
        }
        listening.heartbeat.onThreadFailure(listening.failureAction);
        return listening;
    }

    private static void closeQuietly(Socket socket, IOException why) {
        try {
            socket.close();
        } catch (IOException e) {
            why.addSuppressed(e);
        }
    }

    /**
     * Enables accepting in a new task, which runs after Netty's task that adds the connection dispatcher.
     * Without the dispatcher, the first connections would be lost.
     */
    @Override
    public void accept() {
        channel.eventLoop().execute(() -> channel.config().setAutoRead(true));
    }

    @Override
    public List<SharedSocket> sharedSockets() {
        return List.of(SharedSocket.at(file.path(), ((UnixChannel) channel).fd().intValue()));
    }

    @Override
    public void activate() {
        ownedByOtherProcess = false;
    }

    /** Closes the socket but keeps the socket file, because the successor process uses the file. */
    @Override
    public void releaseToSuccessor() {
        stopped = true;
        channel.close().awaitUninterruptibly();
    }

    @Override
    public void stop() {
        if (stopped) {
            return; // the file may belong to another process by now
        }
        stopped = true;
        heartbeat.removeFailureAction(failureAction);
        if (!ownedByOtherProcess) {
            file.remove(); // must precede close(): an open socket keeps the inode number from being reused
        }
        channel.close();
    }

    @Override
    public void close() {
        stop();
        channel.closeFuture().awaitUninterruptibly();
    }
}
