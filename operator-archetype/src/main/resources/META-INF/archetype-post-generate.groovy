// The archetype plugin writes files without permissions.
new File(request.outputDirectory, request.artifactId + "/mvnw").setExecutable(true, false)

def plural = request.properties.getProperty("plural")
println "The plural of ${request.properties.getProperty("kind")} is ${plural}. To choose another one, delete the project and add -Dplural=NAME."
