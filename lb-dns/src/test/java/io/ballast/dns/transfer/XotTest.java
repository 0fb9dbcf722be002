package io.ballast.dns.transfer;

import static org.assertj.core.api.Assertions.assertThat;

import io.ballast.core.config.HostPort;
import io.ballast.dns.DnsFrontend;
import io.ballast.dns.config.DnsConfig;
import io.ballast.dns.config.DnsListenerConfig.Protocol;
import io.ballast.dns.config.DnsTcpConfig;
import io.ballast.dns.config.zone.ZoneConfig;
import io.ballast.dns.testing.Messages;
import io.ballast.dns.testing.Reload;
import io.ballast.dns.testing.StreamClient;
import io.ballast.dns.testing.TransferFixture;
import io.ballast.dns.testing.ZoneFixture;
import io.ballast.net.config.TransportKind;
import io.ballast.net.testing.TestCertificate;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;
import org.xbill.DNS.Type;

/** Tests zone transfers over TLS (RFC 9103). */
class XotTest {

    private static final int MANY = 20_000;

    @Test
    void transfersZoneOverTls(@TempDir Path directory) throws Exception {
        StringBuilder zone = new StringBuilder(TransferFixture.head(1));
        for (int i = 0; i < MANY; i++) {
            zone.append('n').append(i).append(" A 192.0.2.1\n");
        }
        ZoneFixture fixture = new ZoneFixture().zone("example.com", Files.writeString(directory.resolve("zone"), zone));
        HostPort address = Reload.free();
        TestCertificate certificate = TestCertificate.create();
        DnsConfig plain = fixture.dns(
                DnsTcpConfig.DEFAULT, Reload.encrypted(address, Protocol.DOT, certificate.write(directory)));
        List<ZoneConfig> zones = plain.zones().stream()
                .map(each -> each.withTransfer(TransferFixture.to("127.0.0.1")))
                .toList();
        DnsConfig config = new DnsConfig(plain.listeners(), plain.udp(), plain.tcp(), zones);
        try (DnsFrontend frontend = DnsFrontend.start(config, fixture.topology(), 1, TransportKind.AUTO);
                SSLSocket socket = (SSLSocket) certificate
                        .client()
                        .getSocketFactory()
                        .createSocket(
                                address.host(), frontend.addresses().get(0).getPort())) {
            StreamClient client = new StreamClient(socket);
            client.send(
                    StreamClient.framed(Messages.query("example.com", Type.AXFR).toWire()));

            List<Record> records = new ArrayList<>();
            while (records.isEmpty()
                    || records.size() == 1
                    || records.get(records.size() - 1).getType() != Type.SOA) {
                records.addAll(client.receive().getSection(Section.ANSWER));
            }
            assertThat(records).hasSize(MANY + 4);
        }
    }
}
