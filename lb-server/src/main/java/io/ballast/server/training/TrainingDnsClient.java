package io.ballast.server.training;

import io.ballast.core.config.HostPort;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;

/** A DNS client that queries A records and requires at least one A record in the answer. */
final class TrainingDnsClient {

    private static final int READ_TIMEOUT_MILLIS = 10_000;
    private static final int HEADER_BYTES = 12;
    private static final int MAX_BYTES = 4096;

    private final HostPort server;

    TrainingDnsClient(HostPort server) {
        this.server = server;
    }

    void queryByUdp(String name) throws IOException {
        try (DatagramSocket socket = new DatagramSocket()) {
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            socket.connect(InetAddress.getByName(server.host()), server.port());
            byte[] query = encodeQuery(name);
            socket.send(new DatagramPacket(query, query.length));
            DatagramPacket answer = new DatagramPacket(new byte[MAX_BYTES], MAX_BYTES);
            socket.receive(answer);
            requireAnswer(name, answer.getData());
        }
    }

    void queryByTcp(String name) throws IOException {
        try (Socket socket = new Socket(server.host(), server.port())) {
            socket.setSoTimeout(READ_TIMEOUT_MILLIS);
            byte[] query = encodeQuery(name);
            DataOutputStream out = new DataOutputStream(socket.getOutputStream());
            out.writeShort(query.length);
            out.write(query);
            DataInputStream in = new DataInputStream(socket.getInputStream());
            requireAnswer(name, in.readNBytes(in.readUnsignedShort()));
        }
    }

    /** Encodes a query (RFC 1035 section 4): a header with one question, recursion not desired. */
    private static byte[] encodeQuery(String name) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        for (int field : new int[] {/* id= */ 4711, /* flags= */ 0, /* questions= */ 1, 0, 0, 0}) {
            out.writeShort(field);
        }
        for (String label : name.split("\\.")) {
            out.writeByte(label.length());
            out.write(label.getBytes(StandardCharsets.US_ASCII));
        }
        out.writeByte(0);
        out.writeShort(/* type A= */ 1);
        out.writeShort(/* class IN= */ 1);
        return bytes.toByteArray();
    }

    private void requireAnswer(String name, byte[] message) throws IOException {
        int answers = message.length < HEADER_BYTES ? 0 : ((message[6] & 0xff) << 8) | (message[7] & 0xff);
        if (answers == 0) {
            throw new IOException(server + ": the answer contains no address for " + name);
        }
    }
}
