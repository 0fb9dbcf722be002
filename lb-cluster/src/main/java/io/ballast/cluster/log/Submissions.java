package io.ballast.cluster.log;

import io.ballast.cluster.mesh.Mesh;
import io.ballast.core.ErrorText;
import io.microraft.Ordered;
import io.microraft.RaftNode;
import io.microraft.exception.IndeterminateStateException;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** Forwards commands to the leader and returns their results. Confined to the log thread. */
final class Submissions {

    private static final int MAX_WAITING = 10_000;
    private static final int COMMITTED = 0;
    private static final int REFUSED = 1;
    private static final int UNKNOWN = 2;

    private final Map<Long, Waiting> waiting = new HashMap<>();
    private final Mesh mesh;
    private final int commandKind;
    private final int resultKind;
    private long lastId;

    Submissions(Mesh mesh, int commandKind, int resultKind) {
        this.mesh = mesh;
        this.commandKind = commandKind;
        this.resultKind = resultKind;
    }

    /** @param leader the name of the leader; null if it is not known */
    void submit(@Nullable LogGroup group, @Nullable String leader, byte[] command, CompletableFuture<byte[]> result) {
        if (leader == null) {
            result.completeExceptionally(new FactLogException("no leader: a majority of the voters is not connected"));
        } else if (group != null && group.isLeader()) {
            replicate(group.node(), command, result);
        } else {
            forward(leader, command, result);
        }
    }

    private static void replicate(RaftNode node, byte[] command, CompletableFuture<byte[]> result) {
        CompletableFuture<Ordered<byte[]>> replicated = node.replicate(command);
        replicated.whenComplete((ordered, failure) -> {
            if (failure == null) {
                result.complete(ordered.getResult());
            } else {
                result.completeExceptionally(error(failure));
            }
        });
    }

    private static FactLogException error(Throwable failure) {
        return failure instanceof IndeterminateStateException
                ? FactLogException.outcomeUnknown("the leader has changed", failure)
                : new FactLogException("not accepted: " + ErrorText.of(failure), failure);
    }

    private void forward(String leader, byte[] command, CompletableFuture<byte[]> result) {
        if (waiting.size() >= MAX_WAITING) {
            result.completeExceptionally(new FactLogException("too many pending commands: " + MAX_WAITING));
            return;
        }
        long id = ++lastId;
        if (mesh.send(leader, commandKind, message(id, command))) {
            waiting.put(id, new Waiting(leader, result));
            result.whenComplete((value, failure) -> waiting.remove(id));
        } else {
            result.completeExceptionally(new FactLogException("the leader " + leader + " is not connected"));
        }
    }

    /** Replicates a command that another node forwarded, and sends the result to that node. */
    void receiveCommand(@Nullable LogGroup group, String sender, byte[] message) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
        long id = in.readLong();
        CompletableFuture<byte[]> result = new CompletableFuture<>();
        if (group != null && group.isLeader()) {
            replicate(group.node(), in.readAllBytes(), result);
        } else {
            result.completeExceptionally(new FactLogException("not accepted: the node is not the leader"));
        }
        result.whenComplete((value, failure) -> mesh.send(sender, resultKind, message(id, result(value, failure))));
    }

    private static byte[] result(byte[] value, @Nullable Throwable failure) {
        if (failure == null) {
            return result(COMMITTED, value);
        }
        boolean unknown = failure instanceof FactLogException error && error.isOutcomeUnknown();
        return result(unknown ? UNKNOWN : REFUSED, ErrorText.of(failure).getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] result(int outcome, byte[] value) {
        byte[] result = new byte[value.length + 1];
        result[0] = (byte) outcome;
        System.arraycopy(value, 0, result, 1, value.length);
        return result;
    }

    void receiveResult(String sender, byte[] message) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(message));
        Waiting known = waiting.get(in.readLong());
        if (known == null || !known.leader().equals(sender)) {
            return;
        }
        int outcome = in.readUnsignedByte();
        byte[] value = in.readAllBytes();
        if (outcome == COMMITTED) {
            known.result().complete(value);
        } else {
            String reason = new String(value, StandardCharsets.UTF_8);
            known.result()
                    .completeExceptionally(
                            outcome == UNKNOWN
                                    ? FactLogException.outcomeUnknown(sender + ": " + reason, null)
                                    : new FactLogException(sender + ": " + reason));
        }
    }

    /** Fails the commands that were forwarded to a node that is no longer connected. */
    void disconnected(String node) {
        for (Waiting known : List.copyOf(waiting.values())) {
            if (known.leader().equals(node)) {
                known.result()
                        .completeExceptionally(FactLogException.outcomeUnknown(
                                "the leader " + node + " is not connected", /* cause= */ null));
            }
        }
    }

    private static byte[] message(long id, byte[] rest) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try {
            DataOutputStream out = new DataOutputStream(bytes);
            out.writeLong(id);
            out.write(rest);
        } catch (IOException e) {
            throw new IllegalStateException("writing to memory failed", e);
        }
        return bytes.toByteArray();
    }

    private record Waiting(String leader, CompletableFuture<byte[]> result) {}
}
