package io.ballast.bench.load;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.TimeUnit;

/**
 * A load generator with a constant rate. It reads the parameters of one run per line from standard input and
 * prints the result as one line of JSON. It exits at the end of the input. One process executes many runs,
 * because response times are meaningless until the JVM has compiled the generator's code. It uses one thread.
 *
 * <pre>
 *   echo "8000 / 5000 10 128 keep" | java -cp lb-bench/target/benchmarks.jar io.ballast.bench.load.OpenLoop
 * </pre>
 */
public final class OpenLoop {

    private OpenLoop() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        boolean epoll = Epoll.isAvailable();
        var group = new MultiThreadIoEventLoopGroup(1, epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory());
        EventLoop loop = group.next();
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(epoll ? EpollSocketChannel.class : NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, 5000);
        BufferedReader orders = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.US_ASCII));
        for (String line = orders.readLine(); line != null; line = orders.readLine()) {
            LoadConfig config = LoadConfig.parse(line);
            System.out.println(
                    new LoadRun(config, loop, bootstrap).start().sync().getNow().toJson());
        }
        group.shutdownGracefully(0, 1, TimeUnit.SECONDS).sync();
    }
}
