package io.github.reconciler4j.benchmarks;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.Arrays;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/**
 * A long line to a server of this machine: each byte arrives later by a fixed time, in each direction, and as many as you like are on
 * their way. Arguments: the port of the server, and the milliseconds of a direction. It prints its own port. The script {@code compare}
 * runs it, and ends it.
 */
final class SlowProxy {

    private static final int CHUNK = 64 * 1024;

    private final int target;
    private final long delay;

    /** Bytes on their way. No bytes are the end of the stream. */
    private record Chunk(byte[] bytes, long due) {}

    private SlowProxy(int target, Duration delay) {
        this.target = target;
        this.delay = delay.toNanos();
    }

    /** Run it. */
    public static void main(String[] arguments) throws IOException {
        SlowProxy proxy =
                new SlowProxy(Integer.parseInt(arguments[0]), Duration.ofMillis(Long.parseLong(arguments[1])));
        try (ServerSocket server = new ServerSocket(0, CHUNK, InetAddress.getLoopbackAddress())) {
            System.out.println(server.getLocalPort());
            while (true) {
                Socket from = server.accept();
                Socket to = new Socket(InetAddress.getLoopbackAddress(), proxy.target);
                proxy.connect(from, to);
                proxy.connect(to, from);
            }
        }
    }

    private void connect(Socket from, Socket to) throws IOException {
        to.setTcpNoDelay(true);
        BlockingQueue<Chunk> line = new LinkedBlockingQueue<>();
        run("read", () -> read(from, line));
        run("write", () -> write(line, from, to));
    }

    private static void run(String name, Runnable task) {
        Thread thread = new Thread(task, name);
        thread.setDaemon(true);
        thread.start();
    }

    private void read(Socket from, BlockingQueue<Chunk> line) {
        byte[] bytes = new byte[CHUNK];
        try (InputStream input = from.getInputStream()) {
            for (int count = input.read(bytes); count > 0; count = input.read(bytes)) {
                line.add(new Chunk(Arrays.copyOf(bytes, count), System.nanoTime() + delay));
            }
        } catch (IOException e) {
            // The end of a line, however it comes.
        }
        line.add(new Chunk(new byte[0], System.nanoTime() + delay));
    }

    private static void write(BlockingQueue<Chunk> line, Socket from, Socket to) {
        try (from;
                to) {
            OutputStream output = to.getOutputStream();
            for (Chunk chunk = line.take(); ; chunk = line.take()) {
                TimeUnit.NANOSECONDS.sleep(chunk.due() - System.nanoTime());
                if (chunk.bytes().length == 0) {
                    return;
                }
                output.write(chunk.bytes());
            }
        } catch (IOException | InterruptedException e) {
            // Both sides are closed.
        }
    }
}
