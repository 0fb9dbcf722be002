package io.ballast.server.restart;

import io.ballast.core.ErrorText;
import io.ballast.net.transport.NettyTransport;
import io.netty.channel.unix.Socket;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Notifies systemd of the state of the process, if systemd requested it. Any thread may call it. */
public final class SupervisorNotifier {

    private static final Logger LOG = LoggerFactory.getLogger(SupervisorNotifier.class);
    private static final String NOTIFY_SOCKET = "NOTIFY_SOCKET";
    private static final String INVOCATION_ID = "INVOCATION_ID";

    private SupervisorNotifier() {}

    /**
     * @throws IOException if the supervisor would end the new process together with this process; the message contains
     *     the reason
     */
    static void checkRestartSupported() throws IOException {
        long parent = ProcessHandle.current().parent().map(ProcessHandle::pid).orElse(0L);
        checkRestartSupported(ProcessHandle.current().pid(), parent, System.getenv());
    }

    static void checkRestartSupported(long pid, long parent, Map<String, String> environment) throws IOException {
        if (pid == 1) {
            throw new IOException(
                    "this process has PID 1, so its container would stop with it; restart the container instead");
        }
        boolean isService = parent == 1 && environment.containsKey(INVOCATION_ID);
        if (isService && !environment.containsKey(NOTIFY_SOCKET)) {
            throw new IOException(
                    "systemd would stop the new process together with this one (expected: Type=notify in the unit file)");
        }
    }

    /** Reports that this process is serving. */
    public static void notifyReady() {
        sendState("READY=1\n");
    }

    /**
     * Reports that another process is starting in place of this one. Must be followed by {@link #notifyReady} or
     * {@link #notifyMainProcess}.
     */
    static void notifyReloading() {
        // systemd expects CLOCK_MONOTONIC, which System.nanoTime() reads on Linux.
        sendState("RELOADING=1\nMONOTONIC_USEC=" + System.nanoTime() / 1000 + "\n");
    }

    /** Reports that this process is about to end. */
    public static void notifyStopping() {
        sendState("STOPPING=1\n");
    }

    /** Reports that another process is the main process of the service from now on, and serves. */
    static void notifyMainProcess(long pid) {
        sendState("MAINPID=" + pid + "\nREADY=1\n");
    }

    private static void sendState(String text) {
        String path = System.getenv(NOTIFY_SOCKET);
        if (path == null) {
            return;
        }
        try {
            send(path, text);
        } catch (IOException | LinkageError e) {
            LOG.error("msg=\"cannot notify systemd: {}\" reason=\"{}\"", text.strip(), ErrorText.of(e));
        }
    }

    /**
     * @param path the path of a Unix socket for datagrams; a leading {@code @} marks an abstract socket address
     */
    static void send(String path, String text) throws IOException {
        if (!NettyTransport.hasNativeUnixSockets()) {
            throw new IOException("Unix datagram sockets require Netty's native library");
        }
        byte[] address = path.getBytes(StandardCharsets.UTF_8);
        if (address.length > 0 && address[0] == '@') {
            address[0] = 0;
        }
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        ByteBuffer message = ByteBuffer.allocateDirect(bytes.length).put(bytes);
        Socket socket = Socket.newSocketDomainDgram();
        try {
            socket.sendToDomainSocket(message, 0, bytes.length, address);
        } finally {
            socket.close();
        }
    }
}
