package io.ballast.cluster.mesh;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.charset.StandardCharsets;

/**
 * The first message of both sides of a connection. Immutable.
 *
 * @param lowest the lowest protocol version that the sender supports
 * @param highest the highest protocol version that the sender supports
 * @param cluster the name of the sender's cluster
 * @param peer the sender
 */
record Hello(int lowest, int highest, String cluster, ClusterNode peer) {

    static final int VERSION = 1;
    static final int MAX_BYTES = 1024;
    private static final int MAX_NAME_BYTES = 255;

    static Hello of(String cluster, ClusterNode self) {
        return new Hello(VERSION, VERSION, cluster, self);
    }

    ByteBuf encode() {
        ByteBuf out = Unpooled.buffer();
        out.writeByte(lowest).writeByte(highest);
        writeText(out, cluster);
        writeText(out, peer.node());
        out.writeLong(peer.incarnation());
        byte[] address = peer.address().getAddress().getAddress();
        out.writeByte(address.length).writeBytes(address);
        return out.writeShort(peer.address().getPort());
    }

    /** @throws IndexOutOfBoundsException or IllegalArgumentException if the bytes are not a valid message */
    static Hello decode(ByteBuf in) {
        int lowest = in.readUnsignedByte();
        int highest = in.readUnsignedByte();
        String cluster = readText(in);
        String node = readText(in);
        long incarnation = in.readLong();
        InetAddress address = readAddress(in);
        return new Hello(
                lowest,
                highest,
                cluster,
                new ClusterNode(node, incarnation, new InetSocketAddress(address, in.readUnsignedShort())));
    }

    private static InetAddress readAddress(ByteBuf in) {
        byte[] bytes = new byte[in.readUnsignedByte()];
        in.readBytes(bytes);
        try {
            return InetAddress.getByAddress(bytes);
        } catch (UnknownHostException e) {
            throw new IllegalArgumentException("an address of " + bytes.length + " bytes", e);
        }
    }

    private static void writeText(ByteBuf out, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        if (bytes.length > MAX_NAME_BYTES) {
            throw new IllegalArgumentException(
                    "a name of " + bytes.length + " bytes (expected: at most " + MAX_NAME_BYTES + ")");
        }
        out.writeByte(bytes.length).writeBytes(bytes);
    }

    private static String readText(ByteBuf in) {
        return new String(ByteBufUtil.getBytes(in.readSlice(in.readUnsignedByte())), StandardCharsets.UTF_8);
    }
}
