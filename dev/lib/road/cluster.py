"""A control plane with the chart of the project. It has no container engine: kwok says that the pods are ready, and a process with the
jar, and with the account, environment and configuration of the pod, is the operator."""
import json
import os
import pathlib
import re
import signal
import socket
import subprocess
import threading
import urllib.request

from steps import ROOT, Failed, until

NAMESPACE = "operators"
RELEASE = "demo"
EGRESS = """apiVersion: apiserver.k8s.io/v1beta1
kind: EgressSelectorConfiguration
egressSelections:
- name: cluster
  connection: {proxyProtocol: HTTPConnect, transport: {uds: {udsName: "%s"}}}
"""


class Services:
    """Connects the API server with the webhooks of the operator, whatever Service it asks for."""

    def __init__(self, path):
        path.unlink(missing_ok=True)
        self.port = None
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(str(path))
        self.listener.listen()
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                caller, _ = self.listener.accept()
            except OSError:
                return
            threading.Thread(target=self.connect, args=(caller,), daemon=True).start()

    def connect(self, caller):
        try:
            head = b""
            while b"\r\n\r\n" not in head:
                more = caller.recv(1)
                if not more:
                    return
                head += more
            target = socket.create_connection(("127.0.0.1", self.port), 5) if self.port else None
            if not target:
                caller.sendall(b"HTTP/1.1 503 No pod is ready\r\n\r\n")
                return
            target.settimeout(None)
            caller.sendall(b"HTTP/1.1 200 OK\r\n\r\n")
            other = threading.Thread(target=pump, args=(target, caller), daemon=True)
            other.start()
            pump(caller, target)
            other.join()
            target.close()
        except OSError:
            pass
        finally:
            caller.close()


def pump(source, target):
    try:
        while data := source.recv(65536):
            target.sendall(data)
        target.shutdown(socket.SHUT_WR)
    except OSError:
        pass


def free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


class Cluster:
    """An instance of dev/kubernetes."""

    def __init__(self, road, version):
        self.road, self.version, self.name = road, version, "road-" + version.replace(".", "-")
        self.folder = road.out / self.name
        self.folder.mkdir(parents=True, exist_ok=True)
        short = pathlib.Path(os.environ.get("TMPDIR", "/tmp")) / f"{self.name}-{os.getpid()}.sock"  # sockets have short paths
        self.socket, self.services = short, Services(short)
        self.process = None

    def start(self):
        egress = self.folder / "egress.yaml"
        egress.write_text(EGRESS % self.socket)
        self.road.run("up " + self.name, [ROOT / "dev/kubernetes", "up", "--name", self.name, "--version", self.version, "--parent",
                                          os.getpid(), "--arg", f"apiserver=--egress-selector-config-file={egress}"])
        self.kubectl("create", "namespace", NAMESPACE)
        self.kubectl("label", "namespace", NAMESPACE, *(f"pod-security.kubernetes.io/{mode}=restricted"
                                                        for mode in ("enforce", "warn", "audit")))

    def kubectl(self, *arguments, codes=(0,), input=None, seconds=600):
        if input is not None:
            file = self.folder / "input.yaml"
            file.write_text(input)
            arguments = (*arguments, "-f", file)
        return self.road.run("kubectl " + self.name, [ROOT / "dev/kubernetes", "kubectl", "--name", self.name, *arguments], codes=codes,
                             seconds=seconds)

    def get(self, *arguments):
        return json.loads(self.kubectl("get", *arguments, "-o", "json"))

    def helm(self, *arguments):
        return self.road.run("helm " + self.name, [ROOT / "dev/kubernetes", "helm", "--name", self.name, *arguments, "--namespace", NAMESPACE])

    def pods(self):
        """The security of the pods is what Kubernetes has checked; all of them are there and ready."""
        pods = self.get("pods", "-n", NAMESPACE)["items"]
        if not pods:
            raise Failed("no pod was admitted: " + self.kubectl("get", "events", "-n", NAMESPACE))
        return pods

    def run(self, jar, title):
        self.process = Process(self, jar, title)
        self.services.port = self.process.webhooks
        return self.process

    def replace(self, jar, title):
        """As a Deployment does: the former pod works, and serves the conversion, until the new one is ready."""
        former, new = self.process, Process(self, jar, title)
        new.ready()
        self.process, self.services.port = new, new.webhooks
        former.stop()

    def down(self):
        if self.process:
            self.process.kill()
        self.services.listener.close()
        self.socket.unlink(missing_ok=True)
        subprocess.run([ROOT / "dev/kubernetes", "down", "--name", self.name], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


class Process:
    """The operator, as its pod would run it."""

    def __init__(self, cluster, jar, title, more=None, arguments=()):
        self.cluster, self.title = cluster, title
        folder = cluster.folder / re.sub("[^a-z0-9]+", "-", title.lower())
        (folder / "config").mkdir(parents=True, exist_ok=True)
        deployment = cluster.get("deployments", "-n", NAMESPACE)["items"][0]
        pod = deployment["spec"]["template"]["spec"]
        for volume in pod["volumes"]:
            if "configMap" in volume:
                data = cluster.get("configmap", volume["configMap"]["name"], "-n", NAMESPACE).get("data", {})
                for name, text in data.items():
                    (folder / "config" / name).write_text(text)
        environment = {v["name"]: v.get("value", "").replace("/config/", f"{folder}/config/") for v in pod["containers"][0].get("env", [])}
        self.port, self.webhooks = free_port(), free_port()
        environment.update({"SERVER_PORT": str(self.port), "RECONCILER4J_WEBHOOK_PORT": str(self.webhooks), "HOSTNAME": RELEASE + "-0",
                            "KUBECONFIG": str(self.kubeconfig(folder, pod["serviceAccountName"])), "PATH": os.environ["PATH"],
                            **(more or {})})
        java = pathlib.Path(os.environ["JAVA_HOME"]) / "bin/java" if "JAVA_HOME" in os.environ else "java"
        self.log = folder / "log"
        with open(self.log, "w") as output:
            self.process = subprocess.Popen([str(java), "-Dspring.aot.enabled=true", "-jar", str(jar), *arguments], stdout=output,
                                            stderr=subprocess.STDOUT, env=environment, cwd=folder)

    def kubeconfig(self, folder, account):
        """The account and its namespace, which a pod finds in its files."""
        cluster = self.cluster
        admin = json.loads(cluster.kubectl("config", "view", "--raw", "-o", "json"))["clusters"][0]["cluster"]
        token = cluster.road.run("token " + cluster.name, [ROOT / "dev/kubernetes", "token", "--name", cluster.name, NAMESPACE, account])
        (folder / "token").write_text(token.strip())
        file = folder / "kubeconfig"
        file.write_text(json.dumps({
            "apiVersion": "v1", "kind": "Config", "current-context": "pod", "clusters": [{"name": "pod", "cluster": admin}],
            "users": [{"name": "pod", "user": {"tokenFile": str(folder / "token")}}],
            "contexts": [{"name": "pod", "context": {"cluster": "pod", "user": "pod", "namespace": NAMESPACE}}]}))
        return file

    def ready(self, seconds=240):
        def state():
            if self.process.poll() is not None:
                raise SystemExit(f"{self.title} has ended, see {self.log}")
            try:
                with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/actuator/health/readiness", timeout=5) as answer:
                    return answer.status == 200
            except OSError:
                return False
        until(self.title + " is ready, see " + str(self.log), seconds, state)
        return self

    def wait(self, seconds=600):
        try:
            return self.process.wait(seconds)
        except subprocess.TimeoutExpired as timeout:
            self.kill()
            raise Failed(f"{self.title} did not end within {seconds} s, see {self.log}") from timeout

    def stop(self):
        self.process.send_signal(signal.SIGTERM)
        code = self.wait(60)
        if code not in (0, 143):
            raise Failed(f"{self.title} ended with {code}, see {self.log}")
        self.cluster.road.check(self.title, self.log.read_text())

    def kill(self):
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()

    def metrics(self, name):
        with urllib.request.urlopen(f"http://127.0.0.1:{self.port}/actuator/prometheus", timeout=30) as answer:
            text = answer.read().decode()
        return {line.rsplit(" ", 1)[0]: float(line.rsplit(" ", 1)[1]) for line in text.splitlines() if line.startswith(name)}

    def memory(self):
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(r"VmRSS:\s+(\d+)", status).group(1)) // 1024

    def processor(self):
        fields = pathlib.Path(f"/proc/{self.process.pid}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
