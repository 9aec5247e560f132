import { readFileSync } from 'node:fs';
import { writeOut } from './csv.js';

const temperature = JSON.parse(readFileSync('out/temperature.json', 'utf8'));
const rain = JSON.parse(readFileSync('out/rain.json', 'utf8'));
const stations = Object.keys(temperature);
const months = Object.keys(temperature[stations[0]]).sort();

const PLOT = { left: 60, top: 50, width: 700, height: 300 };
const DASHES = ['', '8 4', '2 4', '10 4 2 4'];
const COLOURS = ['#1b6ca8', '#b3541e', '#3c7a3c', '#7a3c78'];

const temperatures = stations.flatMap((station) => Object.values(temperature[station]));
const low = Math.floor(Math.min(...temperatures) / 5) * 5;
const high = Math.ceil(Math.max(...temperatures) / 5) * 5;
const mostRain = Math.max(...stations.flatMap((station) => Object.values(rain[station])));

const x = (i) => PLOT.left + ((i + 0.5) * PLOT.width) / months.length;
const y = (celsius) => PLOT.top + (PLOT.height * (high - celsius)) / (high - low);

writeOut(
  'out/weather.svg',
  [...head(), ...grid(), ...stations.flatMap(bars), ...stations.flatMap(line), '</svg>', ''].join('\n'),
);

function head() {
  return [
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 800 420" font-family="sans-serif" font-size="12" role="img">',
    '<title>Monthly mean temperature and rainfall of four stations</title>',
    '<rect width="800" height="420" fill="#ffffff"/>',
    '<text x="60" y="24" font-size="16">Monthly mean temperature (lines, °C) and rainfall (bars)</text>',
  ];
}

function grid() {
  const lines = [];
  for (let celsius = low; celsius <= high; celsius += 5) {
    lines.push(
      `<line x1="${PLOT.left}" x2="${PLOT.left + PLOT.width}" y1="${y(celsius)}" y2="${y(celsius)}" stroke="#dddddd"/>`,
    );
    lines.push(`<text x="${PLOT.left - 8}" y="${y(celsius) + 4}" text-anchor="end">${celsius}</text>`);
  }
  return [
    ...lines,
    ...months.map((month, i) => `<text x="${x(i)}" y="370" text-anchor="middle">${month.slice(5)}</text>`),
  ];
}

function bars(station, s) {
  const width = PLOT.width / months.length / (stations.length + 1);
  return months.map((month, i) => {
    const height = ((rain[station][month] ?? 0) / mostRain) * PLOT.height * 0.4;
    const left = x(i) + (s - stations.length / 2) * width;
    return `<rect x="${left.toFixed(1)}" y="${(PLOT.top + PLOT.height - height).toFixed(1)}" width="${width.toFixed(1)}" height="${height.toFixed(1)}" fill="${COLOURS[s]}" opacity="0.25"/>`;
  });
}

function line(station, s) {
  const points = months.map((month, i) => `${x(i).toFixed(1)},${y(temperature[station][month]).toFixed(1)}`);
  const key = 80 + s * 170;
  return [
    `<polyline data-station="${station}" points="${points.join(' ')}" fill="none" stroke="${COLOURS[s]}" stroke-width="2" stroke-dasharray="${DASHES[s]}"/>`,
    `<line x1="${key}" x2="${key + 36}" y1="400" y2="400" stroke="${COLOURS[s]}" stroke-width="2" stroke-dasharray="${DASHES[s]}"/>`,
    `<text x="${key + 44}" y="404">${station}</text>`,
  ];
}
