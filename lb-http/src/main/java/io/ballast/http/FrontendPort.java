package io.ballast.http;

import io.ballast.core.config.Address;
import io.ballast.net.config.SocketFile;
import io.ballast.net.takeover.SharedSocket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The sockets at an address, and the listener that receives their clients. When another listener at the same
 * address replaces this listener, it takes over the sockets. So no client in the kernel's accept queue is
 * lost, and the address is not bound twice.
 *
 * <p>The sockets are reserved for the new listener before it takes over, so that they are not closed earlier.
 *
 * <p>Thread safety: any thread may call any method; {@link #close} and {@link #release} block.
 *
 * @param <C> the kind of clients
 */
abstract class FrontendPort<C extends ListenerClients> {

    private final Class<C> kind;
    private final Address bind;
    private final SocketFile socketFile;
    private volatile C clients;
    private @Nullable C nextClients;
    private boolean abandoned;
    private boolean stopped;

    /**
     * @param kind the type of {@code clients}
     * @param bind the configured address
     * @param access the permissions of the socket file, for a Unix socket
     * @param clients receives the accepted clients until another listener takes over
     */
    FrontendPort(Class<C> kind, Address bind, SocketFile access, C clients) {
        this.kind = kind;
        this.bind = bind;
        this.socketFile = access;
        this.clients = clients;
    }

    final Address bind() {
        return bind;
    }

    /** The permissions of the socket file, as configured when the socket was bound. */
    final SocketFile socketFile() {
        return socketFile;
    }

    /** Returns the client connections or sessions of the listener that currently owns the sockets. */
    final C clients() {
        return clients;
    }

    /**
     * Reserves the sockets for {@code next}. Returns false if {@code next} has clients of a different type than the
     * current owner, if the sockets no longer accept clients, or if they are already reserved.
     */
    final synchronized boolean reserve(ListenerClients next) {
        if (stopped || nextClients != null || !kind.isInstance(next)) {
            return false;
        }
        nextClients = kind.cast(next);
        return true;
    }

    /**
     * Transfers the sockets to the listener that has reserved them. That listener receives all clients that
     * connect afterwards. Does not wait.
     */
    final synchronized void handOver() {
        C next = nextClients;
        if (next != null) {
            clients = next;
            nextClients = null;
            abandoned = false;
        }
    }

    /** Cancels the reservation. */
    final synchronized void cancelReservation() {
        nextClients = null;
        if (abandoned) {
            close();
        }
    }

    /**
     * Called when the listener of {@code removed} is removed. Closes the sockets unless another listener owns or has
     * reserved them.
     */
    final synchronized void release(ListenerClients removed) {
        if (removed != clients) {
            return;
        }
        abandoned = true;
        if (nextClients == null) {
            close();
        }
    }

    /** Closes the sockets; accepted connections stay open. */
    final synchronized void close() {
        stopped = true;
        closeSockets();
    }

    /**
     * Stops accepting new clients, unless running sessions still need the sockets. {@link #close} is still required.
     * Does not wait.
     */
    final synchronized void stopAccepting() {
        stopped = stopSockets();
    }

    /** Returns the sockets to share with a successor process; empty if the transport does not support sharing. */
    abstract List<SharedSocket> sharedSockets();

    /**
     * Accepts the clients that another process has left in the accept queue. Called after that process, which
     * shared the sockets, has stopped. Does not wait.
     */
    void activate() {}

    /**
     * Hands the shared sockets over to a successor process. Waits until no new clients arrive in this process.
     * Running sessions keep the sockets they need.
     */
    abstract void releaseToSuccessor();

    /** The actual port; 0 for a Unix socket. */
    abstract int port();

    /** Starts accepting clients, which wait in the accept queue until this call. Does not wait. */
    abstract void accept();

    /** Stops receiving on the sockets without waiting; false if running sessions still need them. */
    abstract boolean stopSockets();

    /** Closes the sockets. A second call has no effect. */
    abstract void closeSockets();
}
